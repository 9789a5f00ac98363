// Plays the free column of the lowest rank.
#include <stdio.h>
#include <string.h>

int rank(int x, int w, int empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin) && line[0] != ':') {
        int empty[64] = {0}, depth = 0, w = 0, best = -1;
        char *at = strstr(line, "\"grid\"");
        if (!at) continue;
        for (at = strchr(at, '['); *at && (depth || !w); at++) {
            empty[w] += *at == '0';
            depth += *at == '[';
            w += *at == ']' && depth-- == 2;
        }
        for (int x = 0; x < w; x++)
            if (empty[x] && (best < 0 || rank(x, w, empty[x]) < rank(best, w, empty[best])))
                best = x;
        printf("{\"move\":%d}\n", best);
        fflush(stdout);
    }
}
