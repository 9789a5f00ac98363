// Plays the free column of the lowest rank.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func rank(x, w, empty int) int { return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty }

func main() {
	for input := bufio.NewScanner(os.Stdin); input.Scan() && input.Text() != ":exit"; {
		var precept struct{ Grid [][]int }
		_, text, _ := strings.Cut(input.Text(), "{")
		if json.Unmarshal([]byte("{"+text), &precept) != nil {
			continue
		}
		best, lowest, w := -1, 0, len(precept.Grid)
		for x, column := range precept.Grid {
			empty := strings.Count(fmt.Sprint(column), "0")
			if worth := rank(x, w, empty); empty > 0 && (best < 0 || worth < lowest) {
				best, lowest = x, worth
			}
		}
		fmt.Printf("{\"move\":%d}\n", best)
	}
}
