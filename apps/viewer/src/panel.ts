// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The side panel: everything that can be chosen, in sections that fold.

import { MAP_NAMES, type MapName } from "./colormap";
import { ARROW_COLORS, ARROW_NAMES, type ContactArrows } from "./contact_arrows";
import { checkbox, choice, h, icon, slider } from "./dom";
import type { Scale } from "./scale";
import { ARROW_KINDS, type ArrowKind, type RangeMode, type Settings, type Shapes } from "./settings";
import { CAMERA_PRESETS, type CameraPreset } from "./stage";
import type { CameraHeader, Recording } from "./recording";
import type { World } from "./world";

export interface PanelContext {
  settings: Settings;
  recording: Recording;
  world: World;
  arrows: ContactArrows;
  changed(): void;
  look(preset?: CameraPreset): void;
  fit(): void;
  lookThrough(camera: CameraHeader): void;
  compare(file: File): void;
}

const percent = (x: number) => `${Math.round(100 * x)} %`;

function section(title: string, open: boolean, ...children: Node[]): HTMLDetailsElement {
  return h("details", open ? { open: true } : {}, h("summary", {}, title), h("div", { class: "rows" }, ...children));
}

export class Panel {
  readonly element: HTMLElement;
  private readonly thresholds = new Map<ArrowKind, () => void>();

  constructor(private readonly context: PanelContext) {
    this.element = h(
      "aside",
      { class: "panel card", "aria-label": "Settings" },
      this.cameraSection(),
      this.patchSection(),
      this.arrowSection(),
      this.shapeSection(),
      this.bodySection(),
      this.compareSection(),
    );
  }

  private compareSection(): HTMLElement {
    const { settings, changed, compare } = this.context;
    const input = h("input", { type: "file", accept: ".pfr,.part,.html", hidden: true, "aria-label": "Second recording", onchange: () => input.files?.[0] && compare(input.files[0]) });
    const apart = slider("apart", { min: 0, max: 1.5, step: 0.05, value: settings.apart }, (x) => (x === 0 ? "ghost" : `${x}×`), (x) => {
      settings.apart = x;
      changed();
    });
    return section("Compare", false, h("button", { onclick: () => input.click() }, "Second recording …"), input, apart);
  }

  /** A switch of the settings. */
  private toggle<K extends keyof Settings>(key: Settings[K] extends boolean ? K : never, text: string): HTMLElement {
    const { settings, changed } = this.context;
    const box = checkbox(text, settings[key] as boolean, (value) => {
      (settings[key] as boolean) = value;
      changed();
    });
    box.dataset["setting"] = key;
    return box;
  }

  /** Keys may have changed what the boxes show. */
  sync(): void {
    this.element.querySelectorAll<HTMLElement>("[data-setting]").forEach((box) => {
      box.querySelector("input")!.checked = this.context.settings[box.dataset["setting"] as keyof Settings] as boolean;
    });
    this.element.querySelectorAll<HTMLElement>("[data-arrow]").forEach((box) => {
      box.querySelector("input")!.checked = this.context.settings.arrows[box.dataset["arrow"] as ArrowKind].show;
    });
    this.element.querySelector<HTMLSelectElement>(".shapes select")!.value = this.context.settings.shapes;
    this.element.querySelector<HTMLSelectElement>(".follow-choice select")!.value = String(this.context.settings.follow);
    for (const refresh of this.thresholds.values()) refresh();
  }

  private cameraSection(): HTMLElement {
    const buttons = (Object.keys(CAMERA_PRESETS) as CameraPreset[]).map((preset) => h("button", { onclick: () => this.context.look(preset) }, preset));
    const own = (this.context.recording.header.cameras ?? []).map((camera) => h("button", { onclick: () => this.context.lookThrough(camera) }, camera.name));
    return section("Camera", true, h("div", { class: "buttons" }, ...own, ...buttons, h("button", { onclick: () => this.context.fit() }, "fit")), this.followChoice());
  }

  private followChoice(): HTMLElement {
    const { settings, recording, changed } = this.context;
    const bodies = recording.header.moving.map((b) => [String(b), recording.header.bodies[b]!.name] as const);
    const select = choice<string>("Follow", [["none", "nothing"], ["contact", "the contact"], ...bodies], String(settings.follow), (value) => {
      settings.follow = value === "none" || value === "contact" ? value : Number(value);
      changed();
    });
    select.classList.add("follow-choice");
    return select;
  }

  private patchSection(): HTMLElement {
    const { settings, changed } = this.context;
    const maps = MAP_NAMES.map((name) => [name, name] as const);
    const fixed = h("div", { class: "pair", hidden: settings.range !== "fixed" }, this.pressureInput("from", "rangeMin"), this.pressureInput("to", "rangeMax"));
    const modes: [RangeMode, string][] = [["recording", "whole recording"], ["frame", "this frame"], ["patch", "selected patch"], ["fixed", "fixed"]];
    const scales: [Scale, string][] = [["linear", "linear"], ["root", "square root"], ["log", "logarithmic"]];
    return section(
      "Patches",
      true,
      this.toggle("patches", "Colored by pressure"),
      choice<MapName>("Colors", maps, settings.map, (map) => {
        settings.map = map;
        changed();
      }),
      choice<RangeMode>("Range", modes, settings.range, (range) => {
        settings.range = range;
        fixed.hidden = range !== "fixed";
        changed();
      }),
      fixed,
      choice<Scale>("Scale", scales, settings.scale, (scale) => {
        settings.scale = scale;
        changed();
      }),
      this.toggle("isobars", "Isobars"),
      this.toggle("patchEdges", "Edges of the faces"),
      this.toggle("xray", "Visible through bodies"),
    );
  }

  private pressureInput(label: string, key: "rangeMin" | "rangeMax"): HTMLElement {
    const { settings, changed } = this.context;
    const input = h("input", {
      type: "number",
      step: "any",
      value: settings[key] / 1e3,
      "aria-label": `Pressure ${label} [kPa]`,
      onchange: () => {
        const value = Number(input.value) * 1e3;
        if (Number.isFinite(value)) settings[key] = value;
        changed();
      },
    });
    return h("label", { class: "number" }, h("span", {}, label), input, h("span", {}, "kPa"));
  }

  private arrowSection(): HTMLElement {
    const { settings, recording, changed } = this.context;
    const bodies = recording.header.moving.map((b) => [String(b), recording.header.bodies[b]!.name] as const);
    const on = choice<string>("Acting on", [["auto", "what is handled"], ...bodies], String(settings.forcesOn), (value) => {
      settings.forcesOn = value === "auto" ? value : Number(value);
      changed();
    });
    const width = slider("width", { min: 1, max: 8, step: 0.5, value: settings.arrowWidth }, (x) => `${x} px`, (x) => {
      settings.arrowWidth = x;
      changed();
    });
    return section("Arrows", true, ...ARROW_KINDS.map((kind) => this.arrowRow(kind)), on, width, this.toggle("points", "Point contacts of rigid pairs"));
  }

  private arrowRow(kind: ArrowKind): HTMLElement {
    const { settings, changed, arrows } = this.context;
    const mine = settings.arrows[kind];
    const more = h("div", { class: "more", hidden: !mine.show });
    const box = checkbox(ARROW_NAMES[kind], mine.show, (show) => {
      mine.show = show;
      more.hidden = !show;
      changed();
    });
    box.dataset["arrow"] = kind;
    box.style.setProperty("--accent", `#${ARROW_COLORS[kind].toString(16).padStart(6, "0")}`);
    const thresholdText = (x: number) => arrows.thresholdText(kind, x ** 2);
    const threshold = slider("above", { min: 0, max: 1, step: 0.01, value: Math.sqrt(mine.threshold) }, thresholdText, (x) => {
      mine.threshold = x ** 2; // finer where arrows are small
      changed();
    });
    const length = slider("length", { min: -2, max: 2, step: 0.05, value: Math.log2(mine.scale) }, (x) => `${(2 ** x).toFixed(2)}×`, (x) => {
      mine.scale = 2 ** x;
      changed();
    });
    more.append(length, threshold);
    this.thresholds.set(kind, () => {
      more.hidden = !mine.show;
      threshold.querySelector("output")!.textContent = arrows.thresholdText(kind, mine.threshold);
    });
    return h("div", { class: "arrow-row" }, box, more);
  }

  private shapeSection(): HTMLElement {
    const { settings, changed } = this.context;
    const shapes: [Shapes, string][] = [["look", "as they look"], ["contact", "the contact meshes"], ["both", "both"]];
    const select = choice<Shapes>("Shapes", shapes, settings.shapes, (value) => {
      settings.shapes = value;
      changed();
    });
    select.classList.add("shapes");
    const opacity = (label: string, key: "softOpacity" | "rigidOpacity") =>
      slider(label, { min: 0, max: 1, step: 0.01, value: settings[key] }, percent, (x) => {
        settings[key] = x;
        changed();
      });
    return section(
      "Shapes",
      true,
      select,
      this.toggle("edges", "Edges of the triangles"),
      this.toggle("tetrahedra", "Tetrahedra of compliant bodies"),
      opacity("Compliant", "softOpacity"),
      opacity("Rigid", "rigidOpacity"),
      this.toggle("shadows", "Soft light and shadows"),
    );
  }

  private bodySection(): HTMLElement {
    const { recording, world, changed } = this.context;
    const rows = recording.header.bodies.map((body, i) => {
      const look = world.looks[i]!;
      const eye = h("button", {
        class: "icon eye",
        "aria-pressed": "true",
        "aria-label": `Show ${body.name}`,
        title: "Show or hide",
        onclick: () => {
          look.visible = !look.visible;
          eye.setAttribute("aria-pressed", String(look.visible));
          changed();
        },
      }, icon("eye"));
      const opacity = h("input", {
        type: "range",
        min: 0,
        max: 1,
        step: 0.01,
        value: look.opacity,
        "aria-label": `Opacity of ${body.name}`,
        oninput: () => {
          look.opacity = Number(opacity.value);
          changed();
        },
      });
      return h("div", { class: "body" }, eye, h("span", { title: body.name }, body.name), opacity);
    });
    return section("Bodies", false, ...rows);
  }
}
