// Speaks the protocol of the course COMP2230. Its coordinator runs "java -classpath DIR Interface".
// The bot wins or stops a win if it can, and otherwise plays near the middle.
//
//   c4-referee match c4engine random --bots examples/dialects/standard.toml --games 4

import java.util.*;
import java.util.stream.*;

class Interface {
    static final int WIDTH = 7, HEIGHT = 6;
    static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    static int[][] board; // columns, each from the bottom; 0 is an empty cell
    static int[] stones;  // how many are in each column

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        String moves = "";
        while (input.hasNextLine()) {
            String[] words = input.nextLine().trim().split("\\s+");
            switch (words[0]) {
                case "name" -> System.out.println("example-c1234567");
                case "isready" -> System.out.println("readyok");
                case "position" -> moves = words.length > 2 ? words[2] : ""; // after "startpos"
                case "go" -> System.out.println("bestmove " + choose(moves) + " 0"); // 0: no score
                case "quit" -> { System.out.println("quitting"); return; }
            }
        }
    }

    /** Returns the column to play after these moves, counting from 0; 0 if the board is full. */
    static int choose(String moves) {
        board = new int[WIDTH][HEIGHT];
        stones = new int[WIDTH];
        for (int ply = 0; ply < moves.length(); ply++) {
            int x = moves.charAt(ply) - '0';
            board[x][stones[x]++] = 1 + ply % 2;
        }
        int me = 1 + moves.length() % 2;
        return IntStream.of(3, 2, 4, 1, 5, 0, 6).filter(x -> stones[x] < HEIGHT).boxed()
            .max(Comparator.comparing(x -> wins(x, me) ? 2 : wins(x, 3 - me) ? 1 : 0)).orElse(0);
    }

    static boolean wins(int x, int player) {
        return Stream.of(DIRECTIONS).anyMatch(step ->
            inRow(x, step[0], step[1], player) + 1 + inRow(x, -step[0], -step[1], player) >= 4);
    }

    /** Counts the player's stones in a row, starting beside the next cell of a column. */
    static int inRow(int column, int dx, int dy, int player) {
        int x = column + dx, y = stones[column] + dy, count = 0;
        for (; x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT; x += dx, y += dy, count++)
            if (board[x][y] != player) break;
        return count;
    }
}
