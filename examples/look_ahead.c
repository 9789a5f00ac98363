// Looks eight moves ahead for wins and losses. It could give values to the other positions.
//
//   c4-referee match "sh examples/run.sh examples/look_ahead.c" "c4-bot --plays random" --games 10
#include <stdio.h>
#include <string.h>

enum { LENGTH = 1 << 16, DEPTH = 8, WIN = 99 };
struct choice { int column, value; };
static char line[LENGTH], memory[3 * LENGTH], *board = memory + LENGTH;
static int width, step;  // columns are a step apart, each from the top with a wall: "00012]00000]"

// Reads the board from the value of "grid", and returns the player with fewer stones.
static char read_board(const char *at) {
    char *end = memset(board, 0, LENGTH);
    int more = 0;
    for (; (at = strpbrk(at, "012]")) && (*at != ']' || end[-1] != ']'); *end++ = *at++)
        more += (*at == '1') - (*at == '2');
    step = (int)strcspn(board, "]") + 1;
    width = (int)(end - board) / step;
    return more > 0 ? '2' : '1';
}

// Counts the player's stones in a row, starting beside a cell.
static int run(char player, int cell, int by) {
    return board[cell + by] == player ? 1 + run(player, cell + by, by) : 0;
}

static int wins(char player, int cell) {
    for (int by = step - 1; by <= step + 1; by++)
        if (run(player, cell, by) + run(player, cell, -by) >= 3) return 1;
    return run(player, cell, 1) >= 3;  // the stones below
}

// Returns the best column and its value: the sooner a win, the higher. It stops at `enough`.
static struct choice search(char player, int depth, int enough) {
    struct choice best = {-1, -WIN};
    for (int i = 0; depth > 0 && i < width && best.value < enough; i++) {
        int x = width / 2 - (i + 1) / 2 * (i % 2 ? 1 : -1);  // 3, 2, 4, 1, 5, 0, 6
        int cell = x * step + (int)strspn(board + x * step, "0") - 1;
        if (cell < x * step) continue;  // the column is full
        board[cell] = player;
        int value = wins(player, cell) ? depth : -search(player ^ 3, depth - 1, -best.value).value;
        board[cell] = '0';
        if (value > best.value) best = (struct choice){x, value};
    }
    return best.column < 0 ? (struct choice){-1, 0} : best;
}

int main(int count, char **arguments) {
    while (fgets(line, LENGTH, stdin) && strncmp(line, ":exit", 5)) {
        const char *grid = strstr(line, "\"grid\""), *key = strstr(line, "\"player\"");
        if (!grid) continue;  // a blank line
        char player = read_board(grid);
        for (int i = 1; i + 1 < count; i++)
            if (!strcmp(arguments[i], "--player")) player = *arguments[i + 1];
        if (key) sscanf(key, "\"player\" : %c", &player);
        dprintf(1, "{\"move\":%d}\n", search(player, DEPTH, WIN).column);  // at once: no buffer
    }
}
