// @ts-check
// The curve of the game, and the same as a picture for papers, as templates/pictures.html.jinja makes those of other charts.
import { CurveView, HALF, shapesOf } from "../../../protocol/web/curve.js";
import { html, svg } from "../../../protocol/web/dom.js";
import { range } from "../../../protocol/web/rules.js";
import { plural } from "../texts.js";
import { changes, data, decisive, players, plies, values, variant } from "./data.js";
import { at, isGame, jump } from "./steps.js";
import { meaning } from "./words.js";

const STYLE = "text{font-family:sans-serif;font-size:12px;fill:#1c1e21}.mid{text-anchor:middle}" +
  "path{fill:none;stroke:#1c1e21;stroke-linecap:round;vector-effect:non-scaling-stroke}" +
  ".up{fill:#e8641b;fill-opacity:.55;stroke:none}.down{fill:#f4dd4b;fill-opacity:.6;stroke:none}" +
  ".axis{stroke:#8a8a84;stroke-dasharray:2 3}.trace{stroke-width:1.5}.mark{stroke-width:7}.decisive{stroke:#b3260f;stroke-width:11}";

const most = Math.ceil((variant.cells + 1) / 2);
const turns = changes.map(([ply]) => ply + 1);
const ofFirst = values?.map((value, ply) => (value !== null && ply % 2 ? 0 - value : value)) ?? [];
const [up, down] = [`↑ ${players[0]} wins`, `↓ ${players[1]} wins`];

const curve = new CurveView(jump, {
  up, down,
  about: (count) => `Value after each move. ${count ? `${plural(count, "move")} changed the result` : "No known move changed the result"}.`,
  point: (ply) => `Move ${ply}: ${values?.[ply] == null ? "value unknown" : meaning(values[ply], ply)}.`,
});
export const curveNode = values ? curve.node : null;
export const saveCurve = values ? html("a", { class: "save", download: `game-${data.n}.svg`, href: picture() }, "Save the curve as SVG") : null;

export function drawCurve() {
  if (values) curve.draw(ofFirst, isGame() ? at.ply : Math.min(at.track.ply, at.ply), turns, most, decisive);
}

function picture() {
  const width = 624;
  const unit = width / (plies + 1);
  const numbers = range(Math.floor(plies / 5) + 1).map((i) => 5 * i);
  const node = svg("svg", { width: width + 16, height: 200, viewBox: `0 0 ${width + 16} 200` },
    svg("style", {}, STYLE), svg("rect", { width: width + 16, height: 200, fill: "#fff" }),
    svg("text", { x: 8, y: 20 }, up), svg("text", { x: 8, y: 36 }, down),
    svg("svg", { x: 8, y: 48, width, height: 120, viewBox: `0 0 ${plies + 1} ${2 * HALF}`, preserveAspectRatio: "none", overflow: "visible" },
      ...shapesOf(ofFirst, turns, most, decisive)),
    ...numbers.map((ply) => svg("text", { class: "mid", x: 8 + (ply + 0.5) * unit, y: 188 }, String(ply))));
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(node))}`;
}
