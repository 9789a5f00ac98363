// @ts-check
// One picture of a finished game, to send: the last position, who played, the result, and the move that decided the
// game. Boards are images from data addresses, because policies allow no others; texts are drawn beside them.
import { html } from "./dom.js";

/** Boards are texts of SVG files. `turn` is the move that decided the game; without it, the title is larger.
    @typedef {{ board: string, title: string, players: string[],
      turn: { board: string, title: string, text: string } | null }} Sent */

const [WIDTH, HEIGHT] = [1200, 630]; // as sites and messengers show pictures of links
const MARGIN = 40;
const MOST_LARGE = 40; // letters of a large title
const [LARGEST_BOARD, LARGEST_TURN] = [620, 250]; // their widths
const LEAST_TURN = 180; // height for the words beside a low board
const [PAGE, INK, MUTED, WARN, RULE] = ["#fbfbfa", "#1c1e21", "#5c6066", "#b3260f", "#d9d9d4"];
/** Circles of a stone of each player: radii and colours. */
const STONES = /** @type {[number, string][][]} */ ([[[16, "#14202e"], [14.5, "#e8641b"]],
  [[16, "#14202e"], [14.5, "#f4dd4b"], [9, "#6b5b00"], [6.5, "#f4dd4b"]]]);

/** Returns the picture as a canvas. @param {Sent} sent */
export async function pictureToSend({ board, title, players, turn }) {
  const canvas = html("canvas", { width: WIDTH, height: HEIGHT });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const fill = (/** @type {string} */ colour, /** @type {string} */ path) => {
    pen.fillStyle = colour;
    pen.fill(new Path2D(path));
  };
  /** Writes words into lines that are not too long; returns where the next line is.
      @param {string} text @param {number} x @param {number} y @param {number} size @param {string} colour */
  const write = (text, x, y, size, colour, weight = 400) => {
    const room = WIDTH - MARGIN - x;
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.fillStyle = colour;
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines[lines.length - 1]} ${word}`.trim();
      if (longer === word || pen.measureText(longer).width <= room) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    for (const [i, line] of lines.entries()) pen.fillText(line, x, y + (i + 1) * size * 1.25, room);
    return y + lines.length * size * 1.25;
  };

  fill(PAGE, `M0 0h${WIDTH}v${HEIGHT}H0z`);
  const end = await imageOf(board, LARGEST_BOARD, HEIGHT - 2 * MARGIN);
  pen.drawImage(end, MARGIN, (HEIGHT - end.height) / 2, end.width, end.height);
  const x = 2 * MARGIN + end.width;
  const isSmall = turn !== null || title.length > MOST_LARGE;
  let y = write(title, x, isSmall ? MARGIN - 10 : 170, isSmall ? 48 : 60, INK, 700) + 24;
  for (const [i, name] of players.entries()) {
    for (const [r, colour] of STONES[i])
      fill(colour, `M${x + 16 - r} ${y + 26}a${r} ${r} 0 0 0 ${2 * r} 0a${r} ${r} 0 0 0 ${-2 * r} 0`);
    y = write(name, x + 48, y, 30, INK) + 8;
  }
  if (!turn) return canvas;
  const room = WIDTH - MARGIN - x;
  const before = await imageOf(turn.board, Math.min(LARGEST_TURN, room / 2), HEIGHT - MARGIN - y - 48);
  const top = HEIGHT - MARGIN - Math.max(before.height, LEAST_TURN);
  fill(RULE, `M${x} ${top - 26}h${room}v2h${-room}z`);
  pen.drawImage(before, x, top, before.width, before.height);
  y = write(turn.title, x + before.width + 24, top - 6, 26, MUTED);
  write(turn.text, x + before.width + 24, y + 4, 30, WARN, 700);
  return canvas;
}

/** Returns a board as an image, as large as the room allows.
    @param {string} board @param {number} width @param {number} height */
async function imageOf(board, width, height) {
  const image = html("img", { src: `data:image/svg+xml,${encodeURIComponent(board)}` });
  await image.decode();
  const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
  [image.width, image.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  return image;
}
