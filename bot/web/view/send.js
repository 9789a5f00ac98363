// @ts-check
// The picture of a game that a person sends, in a dialog with the ways to send it.
import { addressOf } from "../address.js";
import { Game } from "../game.js";
import { keeping } from "../learn/turns.js";
import { language } from "../texts/language.js";
import { button, html } from "../../../protocol/web/dom.js";
import { columnName, writeMoves } from "../../../protocol/web/names.js";
import { svgText } from "../../../protocol/web/picture.js";
import { pictureToSend, savePicture } from "../../../protocol/web/sent.js";
import { copy, sayCopied } from "./copies.js";
import { nameOf, pictureText, say } from "./words.js";

/** @import { Study } from "../study.js" */
/** @import { Key } from "./words.js" */

const NAME = "connect-four";
const OWN = /(^|\.)localhost$|^127\.[\d.]+$|^\[::1?\]$|^0\.0\.0\.0$/;
/** Whether the address of the page may be one that other people can open. */
const isPublic = location.protocol.startsWith("http") && !OWN.test(location.hostname);

export class SendView {
  constructor() {
    this.canvas = html("canvas");
    this.image = html("img", { width: 1200, height: 630 });
    this.file = new File([], `${NAME}.png`, { type: "image/png" });
    this.text = "";
    const save = button(say("save"), () => savePicture(this.canvas, NAME), { class: "first" });
    const share = button(say("share"), () => navigator.share({ files: [this.file] }).catch(() => {})); // not wanted
    share.hidden = !isSecureContext || !navigator.canShare?.({ files: [this.file] });
    const picture = button(say("copy picture"), () => {
      const copied = navigator.clipboard.write([new ClipboardItem({ "image/png": this.file })]);
      sayCopied(copied.then(() => true, () => false), picture);
    });
    picture.hidden = !isSecureContext || !globalThis.ClipboardItem;
    const text = button(say(isPublic ? "copy the link" : "copy the moves"), () => copy(this.text, text));
    const close = html("form", { method: "dialog" }, html("button", {}, say("close")));
    const buttons = html("div", { class: "buttons" }, save, share, picture, text, close);
    this.dialog = html("dialog", { class: "send", "aria-label": say("send") }, this.image, buttons);
  }

  /** Shows the picture of a game that is over. The last move that is known to have changed the result decided it.
      @param {Game} game @param {Study} study */
  async show(game, study) {
    const { position, positions, line, side, variant, start, link } = game;
    const { at = 0, before: best = 0 } = study.turns(positions).at(-1) ?? {};
    const missed = at ? keeping(study.valuesOf(positions[at - 1]) ?? new Map(), best) : [];
    const columns = new Intl.ListFormat(language, { type: "disjunction" }).format(missed.map((cell) => columnName(variant, cell)));
    const [first, second] = /** @type {const} */ ([1, 2]).map((player) =>
      (side === player ? say("me") : nameOf(game, player)).replace(" ", "\u00a0"));
    const nameAt = (/** @type {number} */ player) => (player === 1 ? first : second);
    const key = !position.winner ? "drawn" : side === "both" || position.winner === side ? "won" : "lost";
    const who = side === "both" ? nameAt(position.winner) : nameAt(3 - side);
    const title = say(/** @type {Key} */ (`sent ${key}${side === "both" ? " by both" : ""}`), { who });
    const turn = missed.length ? {
      board: svgText(positions[at], line[at - 1], "", missed),
      title: say("about move", { move: start.ply + at, who: nameAt(positions[at - 1].player) }),
      text: say("missed", { column: columns }),
    } : null;
    const place = turn ? new Game({ ...link, moves: line.slice(0, at - 1), mode: "analyse" }) : game;
    this.text = isPublic ? addressOf(place) : writeMoves(variant, line);
    const board = svgText(position, game.last, pictureText(position));
    this.canvas = await pictureToSend({ board, title, players: [first, second], turn });
    this.image.src = this.canvas.toDataURL();
    this.image.alt = [title, turn?.title, turn?.text].filter(Boolean).join(". ");
    this.canvas.toBlob((blob) => {
      if (blob) this.file = new File([blob], this.file.name, { type: blob.type });
    });
    if (!this.dialog.open) this.dialog.showModal();
  }
}
