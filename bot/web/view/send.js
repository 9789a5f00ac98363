// @ts-check
// The picture of a game that a person sends, in a dialog with the ways to send it.
import { addressOf } from "../address.js";
import { Game } from "../game.js";
import { keeping } from "../learn/turns.js";
import { language } from "../texts/language.js";
import { button, html } from "../../../protocol/web/dom.js";
import { columnName, writeMoves } from "../../../protocol/web/names.js";
import { svgText } from "../../../protocol/web/picture.js";
import { pictureToSend } from "../../../protocol/web/sent.js";
import { copy, sayCopied } from "./copies.js";
import { endOf, nameOf, say } from "./words.js";

/** @import { Study } from "../study.js" */

const NAME = "connect-four.png";
const OWN = /(^|\.)localhost$|^127\.[\d.]+$|^\[::1?\]$|^0\.0\.0\.0$/;
/** Whether the address of the page may be one that other people can open. */
const isPublic = location.protocol.startsWith("http") && !OWN.test(location.hostname);

export class SendView {
  constructor() {
    this.image = html("img", { width: 1200, height: 630 });
    this.file = new File([], NAME, { type: "image/png" });
    this.text = "";
    const { image } = this;
    const download = () => html("a", { href: image.src, download: NAME }).click();
    const save = button(say("save progress"), download, { class: "first" });
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
    this.dialog = html("dialog", { class: "send", "aria-label": say("send") }, image, buttons);
  }

  /** Shows the picture of a game that is over. The last move that is known to have changed the result decided it.
      @param {Game} game @param {Study} study */
  async show(game, study) {
    const { position, positions, line, side, variant, start, link } = game;
    const { at = 0, before = 0 } = study.turns(positions).at(-1) ?? {};
    const missed = at ? keeping(study.valuesOf(positions[at - 1]) ?? new Map(), before) : [];
    const or = new Intl.ListFormat(language, { type: "disjunction" });
    const players = /** @type {const} */ ([1, 2]).map((player) =>
      (side === player ? say("me") : nameOf(game, player)).replace(" ", "\u00a0"));
    const end = position.winner === side ? "sent won" : position.winner ? "sent lost" : "sent drawn";
    const title = side === "both" ? endOf(game).replace(/\.$/, "") : say(end, { who: players[2 - side] });
    const turn = missed.length ? {
      board: svgText(positions[at], line[at - 1], "", missed),
      title: say("about move", { move: start.ply + at, who: players[positions[at - 1].player - 1] }),
      text: say("missed", { column: or.format(missed.map((cell) => columnName(variant, cell))) }),
    } : null;
    const place = turn ? new Game({ ...link, moves: line.slice(0, at), mode: "analyse" }) : game;
    this.text = isPublic ? addressOf(place) : writeMoves(variant, line);
    const canvas = await pictureToSend({ board: svgText(position, game.last, ""), title, players, turn });
    this.image.src = canvas.toDataURL();
    this.image.alt = [title, turn?.title, turn?.text].filter(Boolean).join(". ");
    canvas.toBlob((blob) => {
      if (blob) this.file = new File([blob], NAME, { type: blob.type });
    });
    if (!this.dialog.open) this.dialog.showModal();
  }
}
