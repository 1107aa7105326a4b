// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bar at the bottom: play, step, scrub, speed; for a live simulation pause, step, reset and how fast it runs.

import { h, iconButton, setIcon } from "./dom";
import * as format from "./format";
import type { LiveStatus } from "./live";
import { type Player, SPEEDS } from "./player";
import type { Recording } from "./recording";

export interface TimelineActions {
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  setSpeed(speed: number): void;
  /** Live only. */
  reset(): void;
  follow(): void;
}

export class Timeline {
  readonly element: HTMLElement;
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
    private readonly live: boolean,
    actions: TimelineActions,
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
        const { startTime, endTime } = recording;
        actions.seek(startTime + Number(this.scrub.value) * (endTime - startTime));
      },
    });
    this.speed = h("select", { "aria-label": "Speed", title: "Speed ([ and ])", onchange: () => actions.setSpeed(Number(this.speed.value)) });
    for (const speed of SPEEDS) this.speed.append(h("option", { value: speed }, `${speed}×`));
    this.follow = h("button", { class: "follow", title: "Back to the present (End)", onclick: () => actions.follow() }, "Live");
    const back = iconButton("back", "One frame back (←)", () => actions.step(-1));
    const forward = iconButton("forward", live ? "One step of the simulation (→)" : "One frame on (→)", () => actions.step(1));
    const reset = iconButton("reset", "Reset the simulation (0)", () => actions.reset());
    this.element = h("section", { class: "timeline", "aria-label": "Time" });
    if (live) this.element.append(this.play, forward, reset, this.scrub, this.clock, this.rate, this.follow);
    else this.element.append(this.play, back, forward, this.scrub, this.clock, this.speed);
  }

  show(status: LiveStatus | null): void {
    const { recording, player } = this;
    const running = this.live ? status !== null && !status.paused : player.playing;
    setIcon(this.play, running ? "pause" : "play", running ? "Pause (space)" : "Play (space)");
    const { startTime, endTime } = recording;
    if (document.activeElement !== this.scrub || running) this.scrub.value = String(endTime > startTime ? (player.time - startTime) / (endTime - startTime) : 0);
    this.scrub.style.setProperty("--part", `${100 * Number(this.scrub.value)}%`);
    this.now.textContent = format.time(player.time);
    this.end.textContent = this.live ? "" : ` of ${format.time(endTime)}`;
    if (!this.live) {
      this.speed.value = String(player.speed);
      return;
    }
    this.rate.textContent = status ? (status.paused ? "paused" : `${status.real_time_factor.toFixed(2)}× real time`) : "";
    this.follow.classList.toggle("on", player.following);
  }
}
