// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The page: puts the parts together and keeps them at the frame that is shown.

import { Vector3 } from "three";
import { ContactArrows } from "./contact_arrows";
import { h, iconButton } from "./dom";
import type { PatchFields } from "./frame";
import { type KeyAction, helpOverlay, listenToKeys } from "./help";
import { Inspector, type Pair, findPair } from "./inspector";
import { Legend } from "./legend";
import type { LiveStatus, LiveStream } from "./live";
import { Panel } from "./panel";
import { PatchView } from "./patch_view";
import { Player } from "./player";
import { Plots } from "./plots";
import { Pull } from "./pull";
import type { CameraHeader, Recording } from "./recording";
import { type ArrowKind, defaultSettings } from "./settings";
import { CAMERA_PRESETS, type CameraPreset, Stage } from "./stage";
import { Timeline } from "./timeline";
import { World } from "./world";

/** A press that moved less than this is a click [px]. */
const CLICK = 5;
/** Curves of a live stream are collected this often [s]. */
const LIVE_PLOTS = 0.5;

export class App {
  readonly settings = defaultSettings();
  readonly stage: Stage;
  readonly world: World;
  readonly player: Player;
  selected: Pair | null = null;
  status: LiveStatus | null = null;
  /** Frames drawn since the page was opened, and milliseconds they took: for whoever measures. */
  readonly drawn = { frames: 0, milliseconds: 0 };

  private readonly patches = new PatchView();
  private readonly arrows: ContactArrows;
  private readonly plots: Plots;
  private readonly inspector: Inspector;
  private readonly legend = new Legend();
  private readonly timeline: Timeline;
  private readonly panel: Panel;
  private readonly help: HTMLElement;
  private readonly notice = h("p", { class: "notice", role: "status", hidden: true });
  private readonly pull: Pull | null;
  private peakPressure = 0;
  private measuredFrames = 0;
  private followed = 0; // body that the camera goes with; 0: none
  private readonly followedAt = new Vector3();
  private shownFrame = -1;
  private shownRevision = -1;
  private dirty = true;
  private lastTick = performance.now();
  private lastPlots = 0;

  constructor(
    private readonly container: HTMLElement,
    readonly recording: Recording,
    private readonly live: LiveStream | null,
  ) {
    const view = h("div", { class: "view" });
    container.replaceChildren(view);
    this.stage = new Stage(view);
    this.world = new World(recording);
    this.player = new Player(recording);
    this.player.following = live !== null;
    this.player.playing = live === null && recording.numFrames > 1;
    this.arrows = new ContactArrows(this.world.extent());
    this.arrows.measure(recording);
    this.pull = live && new Pull(this.stage, this.world, live);
    this.stage.scene.add(this.world.root, this.patches.root, this.arrows.root);
    if (this.pull) this.stage.scene.add(this.pull.line);

    this.plots = new Plots(recording);
    this.plots.onSeek = (time) => this.player.seek(time);
    this.inspector = new Inspector(recording, () => this.select(null));
    this.timeline = new Timeline(recording, this.player, live !== null, {
      toggle: () => this.togglePlay(),
      step: (frames) => this.step(frames),
      seek: (time) => this.player.seek(time),
      setSpeed: (speed) => (this.player.speed = speed),
      reset: () => this.live?.send({ type: "reset" }),
      follow: () => (this.player.following = true),
    });
    this.panel = new Panel({ settings: this.settings, recording, world: this.world, arrows: this.arrows, changed: () => this.change(), look: (preset) => this.look(preset), lookThrough: (camera) => this.lookThrough(camera) });
    const actions = this.keys();
    this.help = helpOverlay(actions, live !== null, () => (this.help.hidden = true));
    listenToKeys(actions);
    this.layOut(view);
    this.listenToClicks();
    this.stage.setBounds(this.world.bounds);
    this.change();
    const own = recording.header.cameras?.[0];
    if (own) this.lookThrough(own);
    else this.stage.look("corner");
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Turns to a preset, or fits everything in; follows nothing any longer. */
  look(preset?: CameraPreset): void {
    this.followed = 0;
    this.stage.look(preset);
  }

  /** Through a camera of the model; one that has a body goes with it. */
  lookThrough(camera: CameraHeader): void {
    this.followed = camera.body;
    this.followedAt.copy(this.world.bodyGroup(camera.body).position);
    const forward = new Vector3(...camera.forward), offset = new Vector3(...camera.position);
    const position = offset.clone().add(this.followedAt);
    const ahead = camera.body === 0 ? this.stage.center().sub(position).dot(forward) : offset.length();
    this.stage.lookAlong(position, forward, Math.max(1e-3, ahead));
  }

  /** A sentence across the top; empty to take it away. */
  tell(text: string): void {
    this.notice.textContent = text;
    this.notice.hidden = text === "";
  }

  setStatus(status: LiveStatus): void {
    this.status = status;
    if (status.problem) this.tell(status.problem);
    else if (this.notice.textContent !== "") this.tell("");
  }

  /** Frames were added at the end of a live stream, and so many taken from its front. */
  framesChanged(forgotten: number): void {
    this.player.frame = Math.max(0, this.player.frame - forgotten);
    this.shownFrame -= forgotten;
  }

  /** Where the centre of pressure of a patch of the shown frame is on the page [px]. */
  patchOnPage(patch: number): { x: number; y: number } | null {
    const summary = this.recording.states[this.player.frame]?.patches[patch];
    return summary ? this.stage.project(new Vector3(...summary.centerOfPressure)) : null;
  }

  select(pair: Pair | null): void {
    this.selected = pair;
    this.dirty = true;
  }

  private layOut(view: HTMLElement): void {
    const { header } = this.recording;
    const toolbar = h(
      "nav",
      { class: "toolbar", "aria-label": "Tools" },
      iconButton("sliders", "Settings (H)", () => this.toggleElement("no-panel")),
      iconButton("plot", "Plots (P)", () => this.toggleElement("no-plots")),
      iconButton("fit", "Fit the view (F)", () => this.look()),
      iconButton("camera", "Save a picture (S)", () => void this.savePicture()),
      iconButton("moon", "Dark or light (D)", () => this.toggleTheme()),
      iconButton("help", "Help (?)", () => (this.help.hidden = !this.help.hidden)),
    );
    const title = h("div", { class: "title" }, h("h1", {}, header.title || "Patchfield"), h("span", {}, `${header.solver} · ${header.tessellation} faces${this.live ? " · live" : ""}`));
    view.append(title, toolbar, this.inspector.element, this.panel.element, this.legend.element, this.notice);
    this.container.append(h("footer", {}, this.plots.element, this.timeline.element), this.help);
    const small = innerWidth < 720;
    this.container.classList.toggle("no-panel", small);
    this.container.classList.toggle("no-plots", small || innerHeight < 560);
  }

  private toggleElement(name: "no-panel" | "no-plots"): void {
    this.container.classList.toggle(name);
    this.dirty = true;
  }

  private toggleTheme(): void {
    this.settings.theme = this.settings.theme === "dark" ? "light" : "dark";
    this.change();
  }

  /** Settings have changed. */
  change(): void {
    document.documentElement.dataset["theme"] = this.settings.theme;
    this.stage.setTheme(this.settings.theme);
    this.world.apply(this.settings);
    this.panel.sync();
    this.plots.redraw();
    this.dirty = true;
  }

  private togglePlay(): void {
    if (this.live) this.live.send({ type: this.status?.paused ? "resume" : "pause" });
    else this.player.toggle();
  }

  private step(frames: number): void {
    if (this.live && frames > 0) {
      this.player.following = true;
      this.live.send({ type: "step" });
    } else this.player.step(frames);
  }

  private tick(now: number): void {
    const started = performance.now();
    this.player.advance(Math.min(0.25, (now - this.lastTick) / 1000));
    this.lastTick = now;
    const { recording } = this;
    if (this.dirty || this.player.frame !== this.shownFrame || (this.player.following && recording.revision !== this.shownRevision)) this.showFrame();
    if (!this.container.classList.contains("no-plots") && (!this.live || now - this.lastPlots > 1000 * LIVE_PLOTS)) {
      this.lastPlots = now;
      this.plots.refresh();
    }
    this.timeline.show(this.status);
    if (this.stage.draw()) {
      ++this.drawn.frames;
      this.drawn.milliseconds += performance.now() - started;
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  private showFrame(): void {
    const { recording, player, settings } = this;
    this.dirty = false;
    this.shownFrame = player.frame;
    this.shownRevision = recording.revision;
    const state = recording.states[player.frame];
    if (!state) return;
    const fields = this.fieldsOf(player.frame);
    this.world.setPoses(state);
    if (this.followed !== 0) {
      const at = this.world.bodyGroup(this.followed).position;
      this.stage.shift(at.clone().sub(this.followedAt));
      this.followedAt.copy(at);
    }
    this.world.root.updateMatrixWorld();
    this.patches.set(fields, findPair(state, this.selected));
    this.arrows.measure(recording);
    this.arrows.set(state, fields, settings);
    const range = this.pressureRange();
    this.patches.apply(settings, range);
    this.legend.show(settings, range);
    this.inspector.show(this.selected, state, fields);
    this.pull?.draw();
    if (!this.container.classList.contains("no-plots")) this.plots.drawCursor(player.frame);
    this.stage.invalidate();
  }

  /** A damaged frame is told and shown without its patches; the others still play. */
  private fieldsOf(frame: number): PatchFields[] {
    try {
      return this.recording.fields(frame);
    } catch (error) {
      this.tell(`Frame ${frame}: ${(error as Error).message}`);
      return this.recording.states[frame]!.patches.map(() => ({ faceStart: new Uint32Array(1), corners: new Uint32Array(0), positions: new Float32Array(0), pressures: new Float32Array(0), friction: new Float32Array(0), slip: new Float32Array(0), sticks: new Uint8Array(0) }));
    }
  }

  private pressureRange(): [number, number] {
    const { settings, recording, player } = this;
    if (settings.range === "fixed") return [settings.rangeMin, settings.rangeMax];
    const peak = (i: number) => Math.max(0, ...recording.states[i]!.patches.map((patch) => patch.peakPressure));
    if (settings.range === "frame") return [0, peak(player.frame) || 1];
    if (this.measuredFrames > recording.numFrames) this.measuredFrames = 0;
    for (; this.measuredFrames < recording.numFrames; ++this.measuredFrames) this.peakPressure = Math.max(this.peakPressure, peak(this.measuredFrames));
    return [0, this.peakPressure || 1];
  }

  private listenToClicks(): void {
    let down = { x: 0, y: 0 };
    const { canvas } = this.stage;
    canvas.addEventListener("pointerdown", (event) => (down = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("pointerup", (event) => {
      if (event.button !== 0 || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK) return;
      const hit = this.stage.pick(event, this.patches.pickable())[0];
      const patch = hit?.faceIndex != null ? this.recording.states[this.player.frame]?.patches[this.patches.patchOfTriangle(hit.faceIndex)] : undefined;
      this.select(patch ? { geomA: patch.geomA, geomB: patch.geomB } : null);
    });
  }

  private async savePicture(): Promise<void> {
    const blob = await this.stage.screenshot();
    const link = h("a", { href: URL.createObjectURL(blob), download: `patchfield ${this.player.time.toFixed(3)} s.png` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  private keys(): KeyAction[] {
    const { settings, player } = this;
    const flip = (key: "edges" | "tetrahedra" | "patchEdges" | "patches") => () => {
      settings[key] = !settings[key];
      this.change();
    };
    const arrow = (kind: ArrowKind) => () => {
      settings.arrows[kind].show = !settings.arrows[kind].show;
      this.change();
    };
    const shapes = () => {
      settings.shapes = settings.shapes === "look" ? "contact" : settings.shapes === "contact" ? "both" : "look";
      this.change();
    };
    const presets = Object.keys(CAMERA_PRESETS) as CameraPreset[];
    const live = this.live !== null;
    const actions: KeyAction[] = [
      { keys: [" "], text: "play or pause", run: () => this.togglePlay() },
      { keys: ["ArrowLeft"], text: "a frame back (Shift: ten)", run: (event) => player.step(event.shiftKey ? -10 : -1) },
      { keys: ["ArrowRight"], text: "a frame on (Shift: ten)", run: (event) => this.step(event.shiftKey ? 10 : 1) },
      { keys: ["Home"], text: "to the start", run: () => player.step(-1e9) },
      { keys: ["End"], text: live ? "to the present" : "to the end", run: () => (live ? (player.following = true) : player.step(1e9)) },
      { keys: ["["], label: "[ ]", text: "slower, faster", run: () => player.changeSpeed(-1) },
      { keys: ["]"], text: "", run: () => player.changeSpeed(1) },
      { keys: presets.map((_, i) => String(i + 1)), label: `1 – ${presets.length}`, text: `camera: ${presets.join(", ")}`, run: (event) => this.look(presets[Number(event.key) - 1]) },
      { keys: ["f", "F"], label: "F", text: "fit the view", run: () => this.look() },
      { keys: ["n", "N"], label: "N", text: "net force arrows", run: arrow("force") },
      { keys: ["m", "M"], label: "M", text: "moment arrows", run: arrow("moment") },
      { keys: ["r", "R"], label: "R", text: "friction traction", run: arrow("friction") },
      { keys: ["v", "V"], label: "V", text: "slip velocity", run: arrow("slip") },
      { keys: ["c", "C"], label: "C", text: "shapes as they look, as contact sees them, both", run: shapes },
      { keys: ["e", "E"], label: "E", text: "edges of the triangles", run: flip("edges") },
      { keys: ["t", "T"], label: "T", text: "tetrahedra", run: flip("tetrahedra") },
      { keys: ["g", "G"], label: "G", text: "edges of the patches", run: flip("patchEdges") },
      { keys: ["x", "X"], label: "X", text: "patches", run: flip("patches") },
      { keys: ["p", "P"], label: "P", text: "plots", run: () => this.toggleElement("no-plots") },
      { keys: ["h", "H"], label: "H", text: "settings", run: () => this.toggleElement("no-panel") },
      { keys: ["d", "D"], label: "D", text: "dark or light", run: () => this.toggleTheme() },
      { keys: ["s", "S"], label: "S", text: "save a picture", run: () => void this.savePicture() },
      { keys: ["?"], text: "this help", run: () => (this.help.hidden = !this.help.hidden) },
      { keys: ["Escape"], label: "Esc", text: "close", run: () => this.closeAll() },
    ];
    if (live) actions.splice(5, 2, { keys: ["0"], text: "reset the simulation", run: () => this.live?.send({ type: "reset" }) });
    return actions;
  }

  private closeAll(): void {
    if (!this.help.hidden) this.help.hidden = true;
    else this.select(null);
  }
}
