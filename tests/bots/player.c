/* Plays a random column with room: cc -O2 -o player player.c && ./player [SEED]
 *
 * The bot does as little work as possible, so that it shows the cost of a referee. It speaks jsonl
 * with a referee that writes "grid" first. Games of two such bots last 21 plies on average.
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

/* Returns the next random number (Marsaglia, "Xorshift RNGs", 2003). */
static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

int main(int count, char **arguments)
{
    static char line[LINE];
    int columns[SIDE];
    unsigned state = 2463534242u + (count > 1 ? (unsigned)atoi(arguments[1]) : 0);
    while (fgets(line, LINE, stdin) != NULL) {
        int found = columns_with_room(line, columns);
        printf("{\"move\":%d}\n", found ? columns[next_random(&state) % found] : -1);
        fflush(stdout);
    }
    return 0;
}
