// @ts-check
// All texts of the page. Names in braces stand for values.

export const TEXTS = {
  notation: {
    empty: "There is nothing to read: paste moves such as 4453, a board, a precept, or a game in PGN.",
    noColumn: "Move {number} is “{move}”, but there is no such column: the columns are 1 to {last}.",
    full: "Move {number} is in column {move}, but the column is full.",
    over: "Move {number} comes after the end of the game.",
    square: "Move {number} is “{move}”, but a stone does not come to rest there.",
    size: "A board has 3 to 11 columns and 3 to 10 rows, but this one has {width} columns and {height} rows.",
    connect: "On a board of {width}x{height}, a line has 3 to {most} stones, not {connect}.",
    uneven: "Row {row} of the board has {cells} cells, but the first row has {width}.",
    row: "Row {row} of the board is “{text}”, but cells are . X O, or 0 1 2.",
    floating: "A stone in column {column} lies above a free cell.",
    stones:
      "The first player has {first} stones and the second {second}. The first player must have as many as the second, or one more.",
    turn: "It cannot be the turn of player {player}: the first player has {first} stones and the second {second}.",
    twoLines: "Both players have a complete line.",
    json: "The text begins like a line of JSON, but it has neither a grid nor moves.",
    grid: "The grid is not a list of equal columns with the cells 0, 1 and 2, or it has another size than the line says.",
    rules:
      "On this board, stones fall, lines count in all directions, and no stone is stolen. “{rules}” is another game.",
    numbers: "Width, height, connect and player have to be numbers.",
    field: "“{name}” cannot be “{value}”.",
  },
  picture: {
    won: "{size} board with {stones} stones: player {player} has won",
    full: "{size} board with {stones} stones: the board is full",
    next: "{size} board with {stones} stones: player {player} moves next",
  },
};
