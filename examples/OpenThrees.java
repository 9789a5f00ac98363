// Makes open threes: lines of four with three of its stones and an empty cell. It looks at each of
// its moves with each reply. It could look further ahead, or count open twos.
//
//   c4-referee match "sh examples/run.sh examples/OpenThrees.java" "c4-bot --plays random" --games 10
import java.io.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

class OpenThrees {
    static final Pattern PLAYER = Pattern.compile("(?:\"player\"\\s*:|--player)\\s*([12])");
    static final int FREE = 0, OURS = 1, THEIRS = 5, WALL = 99; // a line is known by its sum
    static int[] board; // columns, each from the top and with a wall at its end
    static int step;    // from a column to the next; the cells of a line are equally far apart

    public static void main(String[] arguments) {
        new BufferedReader(new InputStreamReader(System.in)).lines()
            .takeWhile(line -> !line.trim().equals(":exit"))
            .filter(line -> line.contains("grid")) // not a blank line
            .forEach(line -> System.out.println("{\"move\":" + choose(line, arguments) + "}"));
    }

    /** Returns the best column, counting from 0; among equals the one nearest to the middle. */
    static int choose(String line, String[] arguments) {
        String columns = line.replaceAll(".*\"grid\"|\\]\\s*\\].*|[^012\\]]", "") + "]";
        boolean fewer = columns.replace("2", "").length() <= columns.replace("1", "").length();
        Matcher named = PLAYER.matcher(line + String.join(" ", arguments));
        char me = named.find() ? named.group(1).charAt(0) : fewer ? '1' : '2';
        board = columns.chars()
            .map(c -> c == ']' ? WALL : c == '0' ? FREE : c == me ? OURS : THEIRS).toArray();
        step = columns.indexOf(']') + 1;
        return free().boxed()
            .sorted(Comparator.comparing(x -> Math.abs(2 * x + 1 - board.length / step)))
            .max(Comparator.comparing(x -> worth(x, OURS, true))).get();
    }

    static IntStream free() {
        return IntStream.range(0, board.length / step).filter(x -> board[x * step] == FREE);
    }

    /** Returns the value of a move for a player, after the best reply if asked. */
    static int worth(int x, int player, boolean replies) {
        int cell = x * step, other = OURS + THEIRS - player;
        while (board[cell + 1] == FREE) cell++; // where the stone falls to
        board[cell] = player;
        int worth = 1000 * lines(4 * player) + lines(3 * player) - lines(3 * other);
        if (replies && worth < 900)
            worth = free().map(reply -> -worth(reply, other, false)).min().orElse(worth);
        board[cell] = FREE;
        return worth;
    }

    /** Counts the lines whose cells have this sum. */
    static int lines(int sum) {
        return IntStream.of(1, step - 1, step, step + 1).map(by -> (int) IntStream
            .range(0, board.length - 3 * by).filter(cell -> sum == board[cell]
                + board[cell + by] + board[cell + 2 * by] + board[cell + 3 * by]).count()).sum();
    }
}
