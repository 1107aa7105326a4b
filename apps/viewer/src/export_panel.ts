// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The card that saves pictures and animations, and copies a link to what is shown.

import type { AnimationKind } from "./animation";
import type { App } from "./app";
import { checkbox, choice, h, iconButton } from "./dom";
import { type PictureGround, offerFile } from "./export";

type Size = "view" | "hd" | "4k";
const SIZES: Record<Size, [number, number] | null> = { view: null, hd: [1920, 1080], "4k": [3840, 2160] };
/** Animations are for pages and talks: larger ones take minutes and many megabytes. */
const FILM: [number, number] = [960, 540];

export class ExportPanel {
  readonly element: HTMLElement;
  private size: Size = "hd";
  private ground: PictureGround = "white";
  private labels = true;
  private readonly progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Drawing" });
  private readonly note = h("p", { class: "hint" });

  constructor(
    private readonly app: App,
    close: () => void,
  ) {
    const film = (kind: AnimationKind, text: string) => h("button", { onclick: () => void this.saveFilm(kind) }, text);
    this.element = h(
      "aside",
      { class: "card export", "aria-label": "Save", hidden: true },
      h("header", {}, h("h2", {}, "Save"), iconButton("close", "Close (Esc)", close)),
      h(
        "div",
        { class: "rows" },
        choice<Size>("Size", [["view", "as shown, twice as sharp"], ["hd", "1920 × 1080"], ["4k", "3840 × 2160"]], this.size, (value) => (this.size = value)),
        choice<PictureGround>("Ground", [["white", "white"], ["light", "light"], ["dark", "dark"], ["none", "transparent"]], this.ground, (value) => (this.ground = value)),
        checkbox("Legend, scale, axes and time", this.labels, (value) => (this.labels = value)),
        h("div", { class: "buttons" }, h("button", { class: "primary", onclick: () => void this.savePicture() }, "Picture (PNG)")),
        h("div", { class: "buttons" }, h("span", { class: "hint" }, "Animation of the stretch that is shown:"), film("webp", "WebP"), film("gif", "GIF"), film("webm", "WebM")),
        h("div", { class: "buttons" }, h("button", { onclick: () => void this.copyLink() }, "Copy a link to this view")),
        this.progress,
        this.note,
      ),
    );
  }

  private async savePicture(): Promise<void> {
    const { canvas } = this.app.stage;
    const [width, height] = SIZES[this.size] ?? [2 * canvas.clientWidth, 2 * canvas.clientHeight];
    offerFile(await this.app.exportPicture({ width, height, ground: this.ground, labels: this.labels }), `patchfield ${this.app.player.time.toFixed(3)} s.png`);
  }

  private async saveFilm(kind: AnimationKind): Promise<void> {
    const { axis } = this.app;
    this.progress.hidden = false;
    this.note.textContent = "";
    try {
      const wish = { width: FILM[0], height: FILM[1], ground: this.ground, labels: this.labels, kind, from: axis.from, to: axis.to, rate: 20, speed: this.app.player.speed, orbit: 0, quality: 0.85 };
      offerFile(await this.app.exportAnimation(wish, (part) => (this.progress.value = part)), `patchfield.${kind}`);
    } catch (error) {
      this.note.textContent = (error as Error).message;
    }
    this.progress.hidden = true;
  }

  private async copyLink(): Promise<void> {
    const link = location.href.replace(/#.*$/, "") + this.app.link();
    try {
      await navigator.clipboard.writeText(link);
      this.note.textContent = "Copied: time, camera and selection are in it.";
    } catch {
      this.note.textContent = link; // no permission: to be copied by hand
    }
  }
}
