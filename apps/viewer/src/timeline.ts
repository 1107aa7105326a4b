// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bar at the bottom: play, step, scrub, speed; for a live simulation pause, step, reset and how fast it runs.

import { h, iconButton, setIcon } from "./dom";
import * as format from "./format";
import type { LiveStatus } from "./live";
import { type ContactEvent, EVENT_COLORS, EVENT_NAMES, findEvents } from "./events";
import { type Player, SPEEDS } from "./player";
import type { Recording } from "./recording";
import type { TimeAxis } from "./time_axis";

export interface TimelineActions {
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  setSpeed(speed: number): void;
  /** Live only; the number of a keyframe, −1 for none. */
  reset(keyframe?: number): void;
  follow(): void;
}

export class Timeline {
  readonly element: HTMLElement;
  /** Marks that a person has set [s]. */
  readonly marks: number[] = [];
  events: ContactEvent[] = [];
  private eventsOf = -1;
  private readonly strip = h("div", { class: "events", "aria-label": "Events" });
  private readonly play: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly now = h("span", {});
  private readonly end = h("span", { class: "end" });
  private readonly clock = h("output", { class: "clock", "aria-label": "Time" }, this.now, this.end);
  private readonly speed: HTMLSelectElement;
  private readonly rate = h("output", { class: "rate", title: "Simulated time over time on the wall" });
  private readonly follow: HTMLButtonElement;

  constructor(
    private readonly recording: Recording,
    private readonly player: Player,
    private readonly axis: TimeAxis,
    private readonly live: boolean,
    private readonly actions: TimelineActions,
  ) {
    this.play = iconButton("play", "Play (space)", () => actions.toggle());
    this.play.classList.add("play");
    this.scrub = h("input", {
      type: "range",
      class: "scrub",
      min: 0,
      max: 1,
      step: "any",
      "aria-label": "Time line",
      oninput: () => {
        actions.seek(this.axis.timeAt(Number(this.scrub.value)));
      },
    });
    this.speed = h("select", { "aria-label": "Speed", title: "Speed ([ and ])", onchange: () => actions.setSpeed(Number(this.speed.value)) });
    for (const speed of SPEEDS) this.speed.append(h("option", { value: speed }, `${speed}×`));
    this.follow = h("button", { class: "follow", title: "Back to the present (End)", onclick: () => actions.follow() }, "Live");
    const back = iconButton("back", "One frame back (←)", () => actions.step(-1));
    const forward = iconButton("forward", live ? "One step of the simulation (→)" : "One frame on (→)", () => actions.step(1));
    const reset = iconButton("reset", "Reset the simulation (0)", () => actions.reset());
    const mark = iconButton("mark", "Set a mark here (B)", () => this.addMark());
    const row = h("div", { class: "controls" });
    if (live) row.append(this.play, forward, reset, ...this.keyframeMenu(), mark, h("span", { class: "space" }), this.clock, this.rate, this.follow);
    else row.append(this.play, back, forward, mark, this.clock, h("span", { class: "space" }), this.speed);
    this.element = h("section", { class: "timeline", "aria-label": "Time" }, h("div", { class: "axis" }, this.strip, this.scrub), row);
  }

  private keyframeMenu(): HTMLElement[] {
    const names = this.recording.header.keyframes ?? [];
    if (names.length === 0) return [];
    const select = h("select", { "aria-label": "Keyframe", title: "Reset to a keyframe", onchange: () => this.actions.reset(Number(select.value)) });
    names.forEach((name, i) => select.append(h("option", { value: i }, name)));
    select.append(h("option", { value: -1 }, "initial state"));
    return [select];
  }

  addMark(): void {
    this.marks.push(this.player.time);
    this.eventsOf = -1;
  }

  /** Events before or after a time; −1 or +1. */
  neighbor(time: number, direction: number): number | null {
    const times = this.events.map((event) => event.time).sort((a, b) => direction * (a - b));
    return times.find((t) => direction * (t - time) > 1e-6) ?? null;
  }

  /** Found again when frames have come, twice a second at most: whoever calls sees to that. */
  refreshEvents(): void {
    if (this.eventsOf === this.recording.revision) return;
    this.eventsOf = this.recording.revision;
    this.events = [...findEvents(this.recording), ...this.marks.map((time): ContactEvent => ({ kind: "mark", time, text: format.time(time) }))];
    this.drawEvents();
  }

  drawEvents(): void {
    const shown = this.events.filter(({ time }) => time >= this.axis.from && time <= this.axis.to);
    this.strip.replaceChildren(
      ...shown.map(({ kind, time, text }) => {
        const words = `${format.time(time)}: ${EVENT_NAMES[kind]}, ${text}`;
        return h("button", { class: `event ${kind}`, tabindex: -1, title: words, "aria-label": words, style: `left:${(100 * this.axis.part(time)).toFixed(3)}%;background:${EVENT_COLORS[kind]}`, onclick: () => this.actions.seek(time) });
      }),
    );
  }

  show(status: LiveStatus | null): void {
    const { recording, player } = this;
    const running = this.live ? status !== null && !status.paused : player.playing;
    setIcon(this.play, running ? "pause" : "play", running ? "Pause (space)" : "Play (space)");
    const { endTime } = recording;
    if (running) this.axis.keepInView(player.time);
    if (document.activeElement !== this.scrub || running) this.scrub.value = String(this.axis.part(player.time));
    this.scrub.style.setProperty("--part", `${100 * Number(this.scrub.value)}%`);
    this.now.textContent = format.time(player.time);
    // A frame shows the start of its step: the run ends a frame later.
    this.end.textContent = this.live ? "" : ` of ${format.time(endTime + 1 / recording.header.frames_per_second)}`;
    if (!this.live) {
      this.speed.value = String(player.speed);
      return;
    }
    this.rate.textContent = status ? (status.paused ? "paused" : `${status.real_time_factor.toFixed(2)}× real time`) : "";
    this.rate.classList.toggle("slow", status !== null && !status.paused && status.real_time_factor < 0.9);
    this.follow.classList.toggle("on", player.following);
  }
}
