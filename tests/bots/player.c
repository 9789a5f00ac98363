/* Plays a random column with room: cc -O2 -o player player.c && ./player [SEED]
 *
 * The bot does as little work as possible, so that it shows the cost of a referee. It speaks jsonl
 * with a referee that writes "grid" first, and uci with one that writes "position startpos". In both
 * it plays the same games. Games of two such bots last 21 plies on average.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16, SIDE = 52 };

/* Fills in the columns with room, left to right, and returns their number. */
static int columns_with_room(const char *line, int columns[SIDE])
{
    int found = 0, column = 0;
    const char *cell = strstr(line, "[[");
    while (cell != NULL && column < SIDE) {
        cell += strspn(cell, "[,");
        if (*cell == '0')
            columns[found++] = column;
        column++;
        cell = strchr(cell, ']');
        if (cell == NULL || *++cell == ']')
            break;
    }
    return found;
}

/* Counts the stones in each column of a line such as "position startpos moves P@d1 P@d2". */
static void count_stones(const char *line, int stones[7])
{
    memset(stones, 0, 7 * sizeof *stones);
    while ((line = strchr(line, '@')) != NULL)
        stones[*++line - 'a']++;
}

/* Returns the next random number (Marsaglia, "Xorshift RNGs", 2003). */
static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Returns a random one of the columns. */
static int chosen(const int columns[], int found, unsigned *state)
{
    return found ? columns[next_random(state) % found] : -1;
}

/* Writes the answer to "go". */
static void answer_go(const int stones[7], unsigned *state)
{
    int columns[7], found = 0;
    for (int column = 0; column < 7; column++)
        if (stones[column] < 6)
            columns[found++] = column;
    int column = chosen(columns, found, state);
    printf("bestmove P@%c%d\n", 'a' + column, stones[column] + 1);
}

int main(int count, char **arguments)
{
    static char line[LINE];
    int columns[SIDE], stones[7] = {0};
    unsigned state = 2463534242u + (count > 1 ? (unsigned)atoi(arguments[1]) : 0);
    while (fgets(line, LINE, stdin) != NULL) {
        if (*line == '{')
            printf("{\"move\":%d}\n", chosen(columns, columns_with_room(line, columns), &state));
        else if (!strncmp(line, "position", 8))
            count_stones(line, stones);
        else if (!strncmp(line, "go", 2))
            answer_go(stones, &state);
        else if (!strncmp(line, "isready", 7))
            puts("readyok");
        else if (!strcmp(line, "uci\n"))
            puts("uciok");
        fflush(stdout);
    }
    return 0;
}
