// Plays the free column of the lowest rank.
import java.util.Comparator;
import java.util.Scanner;
import java.util.stream.IntStream;

public class Bot {
    static int rank(int x, int w, int empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

    static int choose(String[] columns) {
        return IntStream.range(0, columns.length).filter(x -> columns[x].startsWith("0")).boxed()
            .min(Comparator.comparing(x -> rank(x, columns.length, columns[x].lastIndexOf('0') + 1))).get();
    }

    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String line = input.nextLine();
            if (line.startsWith(":exit")) break;
            int start = line.indexOf("\"grid\"");
            if (start < 0) continue;
            String cells = line.substring(start).replaceAll("[^012\\]]", "");
            int move = choose(cells.substring(0, cells.indexOf("]]")).split("]"));
            System.out.println("{\"move\":" + move + "}");
            System.out.flush();
        }
    }
}
