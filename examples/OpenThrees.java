// Makes open threes: lines with three of its own stones and an empty cell. It tries each of its
// moves with each reply of the opponent, and counts the open threes that are left. It would be
// stronger if it also counted open twos, or looked further ahead.
//
//   c4-referee match "java examples/OpenThrees.java" "c4-bot --plays random" --games 10
//
// This command compiles the bot for every game, which takes a second. The command
// "sh examples/run.sh examples/OpenThrees.java" compiles it once. Java has no JSON in its library,
// so regular expressions find the values.

import java.io.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

class OpenThrees {
    static final Pattern GRID = Pattern.compile("\"grid\"\\s*:\\s*\\[(.*?\\])\\s*\\]");
    static final Pattern COLUMN = Pattern.compile("\\[([^\\[\\]]*)\\]");
    static final Pattern PLAYER = Pattern.compile("\"player\"\\s*:\\s*([12])");
    static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    static final int LINE = 4, WIN = 1_000_000;

    static int[][] grid; // columns, each from the top; 0 is an empty cell

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = input.readLine()) != null && !line.trim().equals(":exit")) {
            Matcher found = GRID.matcher(line);
            if (!found.find()) continue; // a blank line
            grid = COLUMN.matcher(found.group(1)).results().map(column -> cells(column.group(1)))
                .toArray(int[][]::new);
            System.out.print("{\"move\":" + choose(ownNumber(line, arguments)) + "}\n");
            System.out.flush(); // without this the answer waits in a buffer
        }
    }

    static int[] cells(String column) {
        return Stream.of(column.split(",")).map(String::trim).mapToInt(Integer::parseInt).toArray();
    }

    /** Returns our number, 1 or 2: from the line, from the command line, or from the stones. */
    static int ownNumber(String line, String[] arguments) {
        Matcher player = PLAYER.matcher(line);
        if (player.find()) return Integer.parseInt(player.group(1));
        int flag = Arrays.asList(arguments).indexOf("--player");
        if (flag >= 0) return Integer.parseInt(arguments[flag + 1]);
        int[] stones = new int[3];
        for (int[] column : grid) for (int cell : column) stones[cell]++;
        return stones[1] <= stones[2] ? 1 : 2;
    }

    /** Returns the best column, counting from 0; among equals the one nearest to the middle. */
    static int choose(int me) {
        return free().boxed().sorted(Comparator.comparing(x -> Math.abs(2 * x + 1 - grid.length)))
            .max(Comparator.comparing(x -> worth(x, me, true))).orElse(-1);
    }

    static IntStream free() {
        return IntStream.range(0, grid.length).filter(x -> grid[x][0] == 0);
    }

    /** Returns the value of a move for the player, after the opponent's best reply if asked. */
    static int worth(int x, int player, boolean replies) {
        int y = 0;
        while (y + 1 < grid[x].length && grid[x][y + 1] == 0) y++; // where the stone falls to
        grid[x][y] = player;
        int worth = lines(player, LINE - 1) - lines(3 - player, LINE - 1);
        if (lines(player, LINE) > 0) worth = WIN;
        if (replies && worth < WIN)
            worth = free().map(reply -> -worth(reply, 3 - player, false)).min().orElse(worth);
        grid[x][y] = 0;
        return worth;
    }

    /** Counts the lines that hold this number of the player's stones and none of the opponent's. */
    static int lines(int player, int stones) {
        int count = 0;
        for (int x = 0; x < grid.length; x++)
            for (int y = 0; y < grid[x].length; y++)
                for (int[] step : DIRECTIONS)
                    if (stonesOn(x, y, step, player) == stones) count++;
        return count;
    }

    /** Counts the player's stones on the line from a cell; -1 if the player cannot complete it. */
    static int stonesOn(int x, int y, int[] step, int player) {
        int stones = 0;
        for (int i = 0; i < LINE; i++, x += step[0], y += step[1]) {
            if (x >= grid.length || y < 0 || y >= grid[x].length) return -1;
            if (grid[x][y] == 3 - player) return -1;
            if (grid[x][y] == player) stones++;
        }
        return stones;
    }
}
