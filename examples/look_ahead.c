/* Looks ten moves ahead, on wide boards six (alpha-beta search). It sees wins and losses, nothing
 * else: teach it what a position is worth that is neither, and to look further while it has time.
 *
 *   cc -O2 -o look_ahead examples/look_ahead.c
 *   c4-referee match ./look_ahead "c4-bot --plays random" --games 10
 *
 * C knows no JSON: the keys that matter are looked for in the text of the line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, LINE = 1 << 16, CONNECT = 4, MOST = 99 };

static int width, height;
static int cell[SIDE][SIDE];  /* by column and row, row 0 is the top; 0 where it is empty */
static int room[SIDE];        /* free cells of a column: a stone falls to row room - 1 */

/* Takes the board from "grid", a list of columns; whether there is one, not too large for us. */
static int read_grid(const char *line)
{
    int depth = 0;
    width = height = 0;
    memset(room, 0, sizeof room);
    for (const char *at = strstr(line, "\"grid\""); at && *at; at++) {
        if (*at == '[' && ++depth == 2)
            height = 0;
        if (*at == ']' && (width += depth == 2, --depth) == 0)
            return width > 0;
        if (strchr("012", *at)) {
            if (width == SIDE || height == SIDE)
                return 0;
            room[width] += *at == '0';
            cell[width][height++] = *at - '0';
        }
    }
    return 0;
}

/* Who we are: as the line says, or else the command line, or else who has fewer stones. */
static int own_number(const char *line, int count, char **arguments)
{
    int more = 0, player = 0;
    const char *key = strstr(line, "\"player\"");
    for (int i = 1; i + 1 < count; i++)
        if (!strcmp(arguments[i], "--player"))
            player = atoi(arguments[i + 1]);
    for (int i = 0; i < width * height; i++)
        more += (cell[i % width][i / width] == 1) - (cell[i % width][i / width] == 2);
    if (key)
        player = atoi(key + 8 + strspn(key + 8, " :"));
    return player == 1 || player == 2 ? player : 1 + (more > 0);
}

/* The player's stones in a row, from beside a cell and in one direction. */
static int stones(int player, int x, int y, int dx, int dy)
{
    int count = 0;
    for (x += dx, y += dy; x >= 0 && x < width && y >= 0 && y < height; x += dx, y += dy, count++)
        if (cell[x][y] != player)
            break;
    return count;
}

/* Whether the player completes a line by playing a column that is not full. */
static int wins(int player, int x)
{
    int y = room[x] - 1;
    for (int dy = -1; dy <= 1; dy++)
        if (stones(player, x, y, 1, dy) + 1 + stones(player, x, y, -1, -dy) >= CONNECT)
            return 1;
    return stones(player, x, y, 0, 1) + 1 >= CONNECT;
}

/* The columns in the order 3, 2, 4, 1, 5, 0, 6: good moves first make the search faster. */
static int from_the_middle(int i)
{
    return width / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
}

/* What the position is worth to the player on turn, and in `best` the column to play: above 0 if
 * he wins within `depth` moves, the more the sooner, below 0 if he loses, else 0. The value is
 * exact between low and high; beyond them, it is only known to be beyond. */
static int search(int player, int depth, int low, int high, int *best)
{
    int top = -MOST, reply;
    *best = -1;  /* which it stays if all columns are full */
    for (int i = 0; i < width; i++)
        if (room[i] > 0 && wins(player, *best = i))
            return depth;
    for (int i = 0; i < width && top < high; i++) {
        int x = from_the_middle(i), value = 0;
        if (room[x] == 0)
            continue;
        if (depth > 1) {
            cell[x][--room[x]] = player;
            value = -search(3 - player, depth - 1, -high, top > low ? -top : -low, &reply);
            cell[x][room[x]++] = 0;
        }
        if (value > top) {
            top = value;
            *best = x;
        }
    }
    return *best < 0 ? 0 : top;
}

int main(int count, char **arguments)
{
    static char line[LINE];
    int move;
    while (fgets(line, LINE, stdin) && strncmp(line, ":exit", 5)) {
        if (!read_grid(line))
            continue;  /* a blank line */
        int depth = width <= 8 ? 10 : 6;  /* a wide board has more moves to try */
        search(own_number(line, count, arguments), depth, -MOST, MOST, &move);
        printf("{\"move\":%d}\n", move);
        fflush(stdout);  /* now, not when the buffer is full */
    }
    return 0;
}
