// Wins or stops a win if it can, gives none away, and otherwise plays near the middle.
//
//	c4-referee match "sh examples/run.sh examples/careful.go" "c4-bot --plays random" --games 10
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A precept is one line of input. Its grid lists columns, each from the top; 0 is an empty cell.
type precept struct {
	Grid            [][]int
	Player, Connect int
}

// run counts the player's stones in a row, starting beside a cell.
func (p precept) run(player, x, y, dx, dy int) int {
	x, y = x+dx, y+dy
	if x < 0 || x >= len(p.Grid) || y < 0 || y >= len(p.Grid[x]) || p.Grid[x][y] != player {
		return 0
	}
	return 1 + p.run(player, x, y, dx, dy)
}

// lines counts the lines that the player completes with a stone on a cell.
func (p precept) lines(who, x, y int) int {
	row := func(dx, dy int) int { return 1 + p.run(who, x, y, dx, dy) + p.run(who, x, y, -dx, -dy) }
	return row(1, 0)/p.Connect + row(0, 1)/p.Connect + row(1, 1)/p.Connect + row(1, -1)/p.Connect
}

func (p precept) choose() (best int) {
	if grid := fmt.Sprint(p.Grid); p.Player == 0 { // unknown: it has fewer stones
		p.Player = 1 + (strings.Count(grid, "1")-strings.Count(grid, "2")+1)/2
	}
	for i, highest, other := 0, -9, 3-p.Player; i < len(p.Grid); i++ {
		x := len(p.Grid)/2 - (i+1)/2*(i%2*2-1) // 3, 2, 4, 1, 5, 0, 6: the middle is best
		y := strings.Count(fmt.Sprint(p.Grid[x]), "0") - 1
		worth := 100*p.lines(p.Player, x, y) + 10*p.lines(other, x, y) - p.lines(other, x, y-1)
		if y >= 0 && worth > highest {
			best, highest = x, worth
		}
	}
	return best
}

func main() {
	_, number, _ := strings.Cut(strings.Join(os.Args, " "), "--player ")
	for input := bufio.NewScanner(os.Stdin); input.Scan() && input.Text() != ":exit"; {
		p := precept{Connect: 4}
		fmt.Sscan(number, &p.Player) // if the line names a player, it replaces this one
		if json.Unmarshal([]byte(strings.TrimLeft(input.Text(), "\uFEFF")), &p) == nil {
			fmt.Printf("{\"move\":%d}\n", p.choose())
		}
	}
}
