// Adds up what the lines of four through a cell are worth. The more stones of only one player a line
// has, the more it is worth. So the bot wins and stops wins. It could also look at the cell above.
//
//   c4-referee match "sh examples/run.sh examples/LineSums.cs" "c4-bot --plays random" --games 10
//
// The script compiles it with mcs of Mono. With .NET, copy it over the Program.cs of a new project
// ("dotnet new console"). After "dotnet build", the program is in the folder bin.
using System;
using System.Linq;
using System.Text.RegularExpressions;

static class LineSums
{
    static readonly (int X, int Y)[] Directions = { (1, 0), (0, 1), (1, 1), (1, -1) };
    static readonly int[] Own = { 1, 8, 64, 100_000 }, Other = { 0, 6, 48, 10_000 }; // by stones
    static int[][] grid; // columns, each from the top; 0 is an empty cell

    static void Main(string[] arguments)
    {
        string line;
        while ((line = Console.ReadLine()) != null && line.Trim() != ":exit")
        {
            Match found = Regex.Match(line, @"""grid""\s*:\s*\[(.*?\])\s*\]");
            if (!found.Success) continue; // a blank line
            MatchCollection columns = Regex.Matches(found.Groups[1].Value, @"[012][012,\s]*");
            grid = columns.Cast<Match>().Select(column => Cells(column.Value)).ToArray();
            int me = OwnNumber(line + string.Join(" ", arguments));
            int best = Enumerable.Range(0, grid.Length).Where(x => grid[x][0] == 0)
                .OrderByDescending(x => Worth(x, me))
                .ThenBy(x => Math.Abs(2 * x + 1 - grid.Length)).First();
            Console.WriteLine("{\"move\":" + best + "}"); // the console writes each line at once
        }
    }

    static int[] Cells(string column) => column.Split(',').Select(int.Parse).ToArray();

    // Returns our number, 1 or 2: from the line, from the arguments after it, or from the stones.
    static int OwnNumber(string words)
    {
        Match player = Regex.Match(words, @"(?:""player""\s*:|--player)\s*([12])");
        if (player.Success) return int.Parse(player.Groups[1].Value);
        int[] stones = grid.SelectMany(column => column).ToArray();
        return stones.Count(cell => cell == 1) <= stones.Count(cell => cell == 2) ? 1 : 2;
    }

    // Returns how much a move is worth to us.
    static int Worth(int x, int me)
    {
        int y = grid[x].TakeWhile(cell => cell == 0).Count() - 1; // where a stone lands
        return (from step in Directions from start in Enumerable.Range(-3, 4)
                select Enumerable.Range(start, 4).Select(i => At(x + i * step.X, y + i * step.Y)))
            .Where(line => !line.Contains(-1))
            .Sum(line => !line.Contains(3 - me) ? Own[line.Count(cell => cell == me)]
                : !line.Contains(me) ? Other[line.Count(cell => cell == 3 - me)] : 0);
    }

    static int At(int x, int y) => // -1 if the cell is not on the board
        x >= 0 && x < grid.Length && y >= 0 && y < grid[x].Length ? grid[x][y] : -1;
}
