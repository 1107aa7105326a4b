// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The page: puts the parts together and keeps them at the frame that is shown.

import { Box3, Vector3 } from "three";
import { type AnimationWish, makeAnimation } from "./animation";
import { unwrapPage } from "./bytes";
import { colorAt } from "./colormap";
import { Comparison } from "./compare";
import { ContactArrows } from "./contact_arrows";
import { h, iconButton } from "./dom";
import { ExportPanel } from "./export_panel";
import { type PictureWish, drawPicture, offerFile, pictureBlob } from "./export";
import { heroBounds, patchBounds } from "./follow";
import { Follower } from "./follower";
import type { PatchFields, PatchSummary } from "./frame";
import { Gauge, gaugeState } from "./gauge";
import { helpOverlay, listenToKeys } from "./help";
import { Inspector, type Pair, findPair } from "./inspector";
import { appKeys } from "./keys";
import { Legend } from "./legend";
import { readLink, writeLink } from "./link";
import type { LiveStatus, LiveStream } from "./live";
import type { Microscope } from "./microscope";
import { Panel } from "./panel";
import { PatchView } from "./patch_view";
import { Player } from "./player";
import { Plots } from "./plots";
import { listenToPointer } from "./pointer";
import { Pull } from "./pull";
import { type CameraHeader, Recording } from "./recording";
import { type Extremes, type Range, extremes, fraction } from "./scale";
import { type ArrowKind, type Follow, defaultSettings } from "./settings";
import { Stage } from "./stage";
import { readTextures } from "./textures";
import { TimeAxis } from "./time_axis";
import { Timeline } from "./timeline";
import { World } from "./world";

/** Curves and ranges of a live stream are collected this often [s]. */
const LIVE_PLOTS = 0.5;

/** Pictures that take longer than this are drawn more simply [ms]. */
const SLOW = 90;
/** The center of pressure leaves a trail of so long [s]. */
const TRAIL = 1;

/** What is under the pointer. */
export interface Probe {
  /** Number of the patch in its frame, or −1. */
  patch: number;
  /** [Pa] */
  pressure: number;
  /** Number of the body, or −1. */
  body: number;
}

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
  readonly plots: Plots;
  private readonly inspector: Inspector;
  private readonly legend = new Legend();
  second: Comparison | null = null;
  readonly timeline: Timeline;
  readonly axis: TimeAxis;
  private readonly panel: Panel;
  private readonly help: HTMLElement;
  private readonly saving: ExportPanel;
  private readonly notice = h("p", { class: "notice", role: "status", hidden: true });
  private readonly tip = h("div", { class: "tip card", role: "tooltip", hidden: true });
  private readonly gauge = new Gauge();
  private readonly pull: Pull | null;
  private readonly ended = new AbortController();
  private pressures: Extremes = { usual: 0, largest: 0 };
  private measuredRevision = -1;
  private measuredAt = -1e9;
  private readonly follower: Follower;
  private shownFrame = -1;
  private shownRevision = -1;
  private dirty = true;
  private lastTick = performance.now();
  private lastPlots = 0;
  /** Mean time between pictures while they follow each other [ms]. */
  private pace = 0;
  private drewLast = false;

  constructor(
    private readonly container: HTMLElement,
    readonly recording: Recording,
    readonly live: LiveStream | null,
  ) {
    const view = h("div", { class: "view" });
    container.replaceChildren(view);
    this.stage = new Stage(view);
    this.settings.shadows = !this.stage.isSoftware;
    this.world = new World(recording, readTextures(recording));
    this.player = new Player(recording);
    this.player.following = live !== null;
    this.player.playing = live === null && recording.numFrames > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.arrows = new ContactArrows(recording, this.world.extent());
    this.follower = new Follower(recording, this.world, this.stage, this.player, live !== null);
    this.pull = live && new Pull(this.stage, this.world, live, this.ended.signal);
    this.stage.scene.add(this.world.root, this.patches.root, this.arrows.root);
    if (this.pull) this.stage.scene.add(this.pull.line);

    this.axis = new TimeAxis(recording);
    this.axis.onChange = () => {
      this.plots.redraw();
      this.timeline.drawEvents();
      this.dirty = true;
    };
    this.plots = new Plots(recording, this.axis);
    this.plots.onSeek = (time) => this.player.seek(time);
    this.inspector = new Inspector(recording, () => this.select(null));
    this.timeline = new Timeline(recording, this.player, this.axis, live !== null, {
      toggle: () => this.togglePlay(),
      step: (frames) => this.step(frames),
      seek: (time) => this.player.seek(time),
      setSpeed: (speed) => (this.player.speed = speed),
      reset: (keyframe) => this.live?.send(keyframe === undefined ? { type: "reset" } : { type: "reset", keyframe }),
      follow: () => (this.player.following = true),
    });
    this.panel = new Panel({ settings: this.settings, recording, world: this.world, arrows: this.arrows, changed: () => this.change(), look: (preset) => this.stage.look(preset), lookThrough: (camera) => this.lookThrough(camera), fit: () => this.fitNow(), compare: (file) => void this.openSecond(file) });
    this.saving = new ExportPanel(this, () => (this.saving.element.hidden = true));
    const actions = appKeys(this);
    this.help = helpOverlay(actions, live !== null, () => (this.help.hidden = true));
    listenToKeys(actions, this.ended.signal);
    this.layOut(view);
    listenToPointer(this, this.tip);
    this.stage.onDraw = (pixel) => {
      this.patches.setPixel(pixel);
      this.arrows.setWidth(pixel, this.settings.arrowWidth);
      this.gauge.show(gaugeState(this.stage.camera, pixel, this.stage.distance));
    };
    this.measure();
    this.stage.setBounds(this.world.bounds, heroBounds(patchBounds(recording.states), this.world.bounds));
    this.change();
    recording.header.cameras?.[0] ? this.lookThrough(recording.header.cameras[0]) : this.stage.look("corner");
    this.openLink(location.hash);
    requestAnimationFrame((now) => this.tick(now));
  }

  /** What is shown, as the end of an address. */
  link(): string {
    return writeLink({ time: this.player.time, camera: this.stage.camera.position, target: this.stage.controls.target, selected: this.selected });
  }

  /** Shows what a link says. */
  openLink(hash: string): void {
    const { time, camera, target, selected } = readLink(hash);
    if (time !== undefined && !this.live) {
      this.player.playing = false;
      this.player.seek(time);
    }
    if (camera && target) this.stage.place(camera, target);
    if (selected) this.select(selected);
  }

  toggleSaving(): void {
    this.saving.element.hidden = !this.saving.element.hidden;
  }

  /** Ends loops and listeners and gives the graphics back: another recording takes the page. */
  dispose(): void {
    this.ended.abort();
    this.stage.dispose();
    this.container.replaceChildren();
  }

  /** Fits what is there now: patches, if there are any, and the bodies that move. */
  fitNow(): void {
    const state = this.recording.states[this.player.frame];
    const now = this.world.boundsNow();
    const patches = state ? patchBounds([state]) : new Box3();
    this.stage.look(undefined, now.isEmpty() ? this.world.bounds : now.union(patches.isEmpty() ? now : patches));
  }

  /** Centers what is followed and stays with it from now on. */
  lookAtFollowed(follow: Follow, everything: boolean): void {
    this.follower.lookAt(follow, everything);
    this.setFollow(follow);
  }

  /** Frames one patch of the shown frame. */
  fitPatch(patch: PatchSummary): void {
    const half = new Vector3().setScalar(0.9 * Math.sqrt(Math.max(patch.area, 1e-8)));
    const center = new Vector3(...patch.centerOfPressure);
    this.stage.look(undefined, new Box3(center.clone().sub(half), center.clone().add(half)));
  }

  /** Through a camera of the model; one that has a body goes with it. */
  lookThrough(camera: CameraHeader): void {
    this.stage.lookThrough(camera, this.world.bodyGroup(camera.body).position);
    this.setFollow(camera.body === 0 ? "none" : camera.body);
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
      iconButton("fit", "Fit the view (F)", () => this.fitNow()),
      iconButton("camera", "Save pictures and animations (O)", () => this.toggleSaving()),
      iconButton("moon", "Dark or light (D)", () => this.toggleTheme()),
      iconButton("help", "Help (?)", () => (this.help.hidden = !this.help.hidden)),
    );
    const title = h("div", { class: "title" }, h("h1", { title: header.title }, header.title.split("/").pop() || "Patchfield"), h("span", {}, `${header.solver} · ${header.tessellation} faces${this.live ? " · live" : ""}`));
    view.append(title, toolbar, this.inspector.element, this.panel.element, h("div", { class: "corner" }, this.gauge.element, this.legend.element), this.notice, this.tip, this.saving.element);
    this.container.append(h("footer", {}, this.plots.element, this.timeline.element), this.help);
    const small = innerWidth < 720;
    this.container.classList.toggle("no-panel", small);
    this.container.classList.toggle("no-plots", small || innerHeight < 560);
    this.leaveRoom();
    addEventListener("resize", () => this.leaveRoom(), { signal: this.ended.signal });
  }

  /** The picture is centered beside the panel; on a phone the panel is a sheet that may cover it. */
  private leaveRoom(): void {
    const panel = this.panel.element;
    const open = !this.container.classList.contains("no-panel") && innerWidth > 720;
    this.stage.setCovered(open ? panel.offsetWidth + 12 : 0);
  }

  toggleElement(name: "no-panel" | "no-plots"): void {
    this.container.classList.toggle(name);
    this.leaveRoom();
    this.dirty = true;
  }

  toggleTheme(): void {
    this.settings.theme = this.settings.theme === "dark" ? "light" : "dark";
    this.change();
  }

  /** Settings have changed. */
  change(): void {
    document.documentElement.dataset["theme"] = this.settings.theme;
    this.stage.setTheme(this.settings.theme);
    this.setShadows(this.settings.shadows);
    this.world.apply(this.settings);
    this.second?.apply(this.settings, this.settings.apart);
    this.panel.sync();
    this.plots.redraw();
    this.dirty = true;
  }

  private setShadows(on: boolean): void {
    this.stage.setShadows(on);
    this.world.setShadows(on);
  }

  /** Slow graphics draw without soft light and shadows from then on; pictures that are saved have them. */
  private keepPace(milliseconds: number, drew: boolean): void {
    if (!drew || !this.settings.shadows || this.drawn.frames < 3) return;
    this.pace = 0.8 * this.pace + 0.2 * milliseconds;
    if (this.pace < SLOW) return;
    this.settings.shadows = false;
    this.change();
  }

  togglePlay(): void {
    if (this.live) this.live.send({ type: this.status?.paused ? "resume" : "pause" });
    else this.player.toggle();
  }

  /** At the present of a live stream the simulation takes a step; in its past the next frame is shown. */
  step(frames: number): void {
    const atPresent = this.player.following || this.player.frame >= this.recording.numFrames - 1;
    if (this.live && frames > 0 && atPresent) {
      this.player.following = true;
      this.live.send({ type: "step" });
    } else this.player.step(frames);
  }

  private tick(now: number): void {
    if (this.ended.signal.aborted) return;
    const started = performance.now();
    const since = now - this.lastTick;
    this.player.advance(Math.min(0.25, (now - this.lastTick) / 1000));
    this.lastTick = now;
    const { recording } = this;
    if (this.dirty || this.player.frame !== this.shownFrame || (this.player.following && recording.revision !== this.shownRevision)) this.showFrame();
    if (!this.live || now - this.lastPlots > 1000 * LIVE_PLOTS) {
      this.lastPlots = now;
      this.timeline.refreshEvents();
      if (!this.container.classList.contains("no-plots")) this.plots.refresh();
    }
    this.timeline.show(this.status);
    const drew = this.stage.draw();
    this.keepPace(since, drew && this.drewLast);
    this.drewLast = drew;
    if (drew) {
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
    this.world.root.updateMatrixWorld();
    this.second?.show(state.time, settings, this.pressureRange(), settings.apart);
    this.patches.set(fields, state.patches, findPair(state, this.selected), (patch) => Math.max(this.world.sagOf(patch.geomA, settings), this.world.sagOf(patch.geomB, settings)));
    this.measure();
    this.arrows.set(state, fields, settings);
    this.follower.update(settings.follow);
    const range = this.pressureRange();
    this.patches.apply(settings, range);
    this.stage.shadowsMoved();
    this.legend.show(settings, range, this.pressures, recording.header.no_patches ?? "");
    this.inspector.show(this.selected, state, fields, (summary, patch) => ({ name: recording.pairName(summary), summary, fields: patch, trail: this.trail(summary), settings, range }));
    this.pull?.draw();
    if (!this.container.classList.contains("no-plots")) this.plots.drawCursor(player.frame);
    this.stage.invalidate();
  }

  /** Centers of pressure of a pair over the last second, carried along with the body of B. */
  private trail(pair: Pair): [number, number, number][] {
    const { recording, player } = this;
    const now = recording.states[player.frame]!;
    const body = recording.header.geoms[pair.geomB]?.body ?? 0;
    const points: [number, number, number][] = [];
    for (let i = Math.max(0, recording.frameAt(now.time - TRAIL)); i <= player.frame; ++i) {
      const state = recording.states[i]!;
      const patch = state.patches[findPair(state, pair)];
      if (patch) points.push(this.world.carry(body, state, now, new Vector3(...patch.centerOfPressure)).toArray());
      else points.length = 0;
    }
    return points;
  }

  /** The flat map of the selected patch. */
  get microscope(): Microscope {
    return this.inspector.microscope;
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

  /** What is large in the recording. Frames of a live stream come and go: it is looked at again twice a second. */
  private measure(): void {
    const { recording } = this;
    const now = performance.now();
    if (recording.revision === this.measuredRevision || (this.live && now - this.measuredAt < 1000 * LIVE_PLOTS)) return;
    this.measuredRevision = recording.revision;
    this.measuredAt = now;
    this.pressures = extremes(recording.states, (state) => state.patches.map((patch) => patch.peakPressure));
    this.arrows.measure();
    this.panel.sync();
  }

  /** Which pressures the ends of the colors are [Pa]; [0, 0] if there are none. */
  pressureRange(): Range {
    const { settings, recording, player } = this;
    if (settings.range === "fixed") return [settings.rangeMin, settings.rangeMax];
    const peaks = recording.states[player.frame]?.patches ?? [];
    const chosen = peaks[findPair(recording.states[player.frame], this.selected)];
    if (settings.range === "patch" && chosen) return [0, chosen.peakPressure];
    if (settings.range === "frame") return [0, Math.max(0, ...peaks.map((patch) => patch.peakPressure)) || this.pressures.usual];
    return [0, this.pressures.usual];
  }

  /** The legend's color of a pressure, 0 … 255. */
  legendColor(pressure: number): [number, number, number] {
    const { map, scale } = this.settings;
    return colorAt(map, fraction(pressure, this.pressureRange(), scale));
  }
  /** Where the arrows of a kind end. */
  arrowTips(kind: ArrowKind): [number, number, number][] {
    return this.arrows.tips(kind);
  }

  /** The patch or the body under a pointer: the nearest one that is not behind an opaque body, unless it shines through. */
  probe(event: { clientX: number; clientY: number }): Probe {
    const solid = this.stage.pick(event, this.world.opaque())[0];
    const hits = this.stage.pick(event, this.patches.pickable()).filter((hit) => this.patches.pressureAt(hit) >= 0);
    const slack = 0.02 * this.world.extent();
    const hit = hits.find(({ distance }) => !solid || distance < solid.distance + slack);
    const any = hit ?? (this.settings.xray ? hits[0] : undefined);
    const body = (solid ?? this.stage.pick(event, this.world.pickable())[0])?.object.userData["body"] as number | undefined;
    if (any?.faceIndex == null) return { patch: -1, pressure: NaN, body: body ?? -1 };
    return { patch: this.patches.patchOfTriangle(any.faceIndex), pressure: this.patches.pressureAt(any), body: body ?? -1 };
  }

  /** The three-dimensional view as a picture of any size. */
  exportPicture(wish: PictureWish): Promise<Blob> {
    return pictureBlob(drawPicture(this, wish), "image/png");
  }

  /** A stretch of the recording as an animation. */
  exportAnimation(wish: AnimationWish, progress?: (part: number) => void): Promise<Blob> {
    return makeAnimation(this, wish, progress);
  }

  /** Brings everything to the player's frame at once instead of at the next tick. */
  showNow(): void {
    this.showFrame();
  }

  async savePicture(): Promise<void> {
    const { clientWidth, clientHeight } = this.stage.canvas;
    const blob = await this.exportPicture({ width: 2 * clientWidth, height: 2 * clientHeight, ground: this.settings.theme, labels: true });
    offerFile(blob, `patchfield ${this.player.time.toFixed(3)} s.png`);
  }

  jump(direction: number): void {
    const time = this.timeline.neighbor(this.player.time, direction);
    if (time === null) return;
    this.player.playing = false;
    this.player.seek(time);
  }

  /** Shows another recording beside this one, on the same time line. */
  compareWith(recording: Recording): void {
    if (this.second) this.stage.scene.remove(this.second.root);
    this.second = new Comparison(recording);
    this.stage.scene.add(this.second.root);
    this.plots.compareWith(recording);
    this.change();
  }

  private async openSecond(file: File): Promise<void> {
    try {
      this.compareWith(Recording.fromFile(unwrapPage(new Uint8Array(await file.arrayBuffer()))));
    } catch (error) {
      this.tell(`${file.name}: ${(error as Error).message}`);
    }
  }

  setFollow(follow: Follow): void {
    this.settings.follow = follow;
    this.change();
  }

  toggleHelp(): void {
    this.help.hidden = !this.help.hidden;
  }

  closeAll(): void {
    if (!this.help.hidden) this.help.hidden = true;
    else if (!this.saving.element.hidden) this.saving.element.hidden = true;
    else this.select(null);
  }
}
