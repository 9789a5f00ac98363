// Plays the free column of the lowest rank.
using System;
using System.Linq;
using System.Text.RegularExpressions;

static class Bot
{
    public static int rank(int x, int w, int empty) { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty; }

    static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null && line.Trim() != ":exit")
        {
            int start = line.IndexOf("\"grid\"");
            if (start < 0) continue;
            string cells = Regex.Replace(line.Substring(start), @"[^012\]]", "");
            string[] columns = cells.Substring(0, cells.IndexOf("]]")).Split(']');
            int move = Enumerable.Range(0, columns.Length).Where(x => columns[x][0] == '0')
                .OrderBy(x => rank(x, columns.Length, columns[x].LastIndexOf('0') + 1)).First();
            Console.WriteLine("{\"move\":" + move + "}");
            Console.Out.Flush();
        }
    }
}
