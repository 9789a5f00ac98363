// @ts-check
// All sentences of the page. What stands in braces is filled in.

export const TEXTS = {
  // Texts that cannot be read
  "notation empty": "There is nothing to read: paste moves such as 4453, a board, a precept, or a game in PGN.",
  "notation noColumn": "Move {number} is “{move}”, but there is no such column: the columns are 1 to {last}.",
  "notation full": "Move {number} is in column {move}, but the column is full.",
  "notation over": "Move {number} comes after the end of the game.",
  "notation square": "Move {number} is “{move}”, but a stone does not come to rest there.",
  "notation size": "A board has 3 to 11 columns and 3 to 10 rows, but this one has {width} columns and {height} rows.",
  "notation connect": "On a board of {width}x{height}, a line has 3 to {most} stones, not {connect}.",
  "notation uneven": "Row {row} of the board has {cells} cells, but the first row has {width}.",
  "notation row": "Row {row} of the board is “{text}”, but cells are . X O, or 0 1 2.",
  "notation floating": "A stone in column {column} lies above a free cell.",
  "notation stones":
    "The first player has {first} stones and the second has {second}. The first player needs as many as the second, or one more.",
  "notation turn":
    "It cannot be the turn of player {player}: the first player has {first} stones and the second has {second}.",
  "notation twoLines": "Both players have a line. Only one of them can win.",
  "notation json": "The text begins like a line of JSON, but it has neither a grid nor moves.",
  "notation grid":
    "The grid is not a list of equal columns with the cells 0, 1 and 2, or it has another size than the line says.",
  "notation rules":
    "On this board, stones fall, lines count in all directions, and no stone is stolen. “{rules}” is another game.",
  "notation numbers": "Width, height, connect and player have to be numbers.",
  "notation field": "“{name}” cannot be “{value}”.",

  // Descriptions of pictures
  "picture won": "{size} board with {stones} stones: player {player} has won",
  "picture full": "{size} board with {stones} stones: the board is full",
  "picture next": "{size} board with {stones} stones: player {player} moves next",
};
