/* Looks ten moves ahead, on wide boards six (alpha-beta search). It sees only wins and losses. To
 * make it stronger, give values to the other positions, and let it look further while it has time.
 *
 *   cc -O2 -o look_ahead examples/look_ahead.c
 *   c4-referee match ./look_ahead "c4-bot --plays random" --games 10
 *
 * C has no JSON in its library, so the program looks for the keys in the text of the line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, LINE = 1 << 16, CONNECT = 4, WIN = 99 };

static int width, height;
static int cell[SIDE][SIDE];  /* by column and row; row 0 is the top, 0 is an empty cell */
static int room[SIDE];        /* free cells of a column: a stone falls to row room - 1 */

/* Reads the board from "grid", a list of columns. Returns 0 if there is none or it is too large. */
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

/* Returns our number, 1 or 2: from the line, from the command line, or from the stones. */
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

/* Counts the player's stones in a row, starting beside a cell, in one direction. */
static int stones(int player, int x, int y, int dx, int dy)
{
    int count = 0;
    for (x += dx, y += dy; x >= 0 && x < width && y >= 0 && y < height; x += dx, y += dy, count++)
        if (cell[x][y] != player)
            break;
    return count;
}

/* Returns whether the player completes a line with a move in a column that is not full. */
static int wins(int player, int x)
{
    int y = room[x] - 1;
    for (int dy = -1; dy <= 1; dy++)
        if (stones(player, x, y, 1, dy) + 1 + stones(player, x, y, -1, -dy) >= CONNECT)
            return 1;
    return stones(player, x, y, 0, 1) + 1 >= CONNECT;
}

/* Returns the columns in the order 3, 2, 4, 1, 5, 0, 6: good moves first save time. */
static int from_the_middle(int i)
{
    return width / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
}

/* Returns the value of the position for the player to move, and puts the column to play in `best`.
 * The value is above 0 if the player wins within `depth` moves (the sooner, the higher), below 0 if
 * the player loses, and otherwise 0. It is exact between low and high; beyond them it is only a
 * bound. */
static int search(int player, int depth, int low, int high, int *best)
{
    int top = -WIN, reply;
    *best = -1;  /* it stays -1 if all columns are full */
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
        search(own_number(line, count, arguments), depth, -WIN, WIN, &move);
        printf("{\"move\":%d}\n", move);
        fflush(stdout);  /* without this the answer waits in a buffer */
    }
    return 0;
}
