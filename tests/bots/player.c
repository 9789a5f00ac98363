/* Plays a random column with room: cc -O2 -o player player.c && ./player [SEED]
 *
 * As little work as a bot can do, for measuring what a referee adds. Speaks the home dialect with
 * a referee that writes "grid" first; needs nothing but C. Games of two last 21 plies on average.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16, SIDE = 52 };

/* The columns with room, left to right; how many there are. A column starts after its "[". */
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

/* The next of a sequence of random numbers (Marsaglia, "Xorshift RNGs", 2003). */
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
