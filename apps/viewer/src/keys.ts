// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the keys of the page do.

import type { App } from "./app";
import type { KeyAction } from "./help";
import type { ArrowKind } from "./settings";
import { CAMERA_PRESETS, type CameraPreset } from "./stage";

/** Everything that a key does, in the order of the help. */
export function appKeys(app: App): KeyAction[] {
  const { settings, player } = app;
  const flip = (key: "edges" | "tetrahedra" | "patchEdges" | "patches" | "isobars") => () => {
    settings[key] = !settings[key];
    app.change();
  };
  const arrow = (kind: ArrowKind) => () => {
    settings.arrows[kind].show = !settings.arrows[kind].show;
    app.change();
  };
  const shapes = () => {
    settings.shapes = settings.shapes === "look" ? "contact" : settings.shapes === "contact" ? "both" : "look";
    app.change();
  };
  const presets = Object.keys(CAMERA_PRESETS) as CameraPreset[];
  const live = app.live !== null;
  const actions: KeyAction[] = [
    { keys: [" "], text: "play or pause", run: () => app.togglePlay() },
    { keys: ["ArrowLeft"], text: "a frame back (Shift: ten)", run: (event) => player.step(event.shiftKey ? -10 : -1) },
    { keys: ["ArrowRight"], text: "a frame on (Shift: ten)", run: (event) => app.step(event.shiftKey ? 10 : 1) },
    { keys: ["Home"], text: "to the start", run: () => player.step(-1e9) },
    { keys: ["End"], text: live ? "to the present" : "to the end", run: () => (live ? (player.following = true) : player.step(1e9)) },
    { keys: [","], label: ", .", text: "to the event before, after", run: () => app.jump(-1) },
    { keys: ["."], text: "", run: () => app.jump(1) },
    { keys: ["b", "B"], label: "B", text: "set a mark", run: () => app.timeline.addMark() },
    { keys: ["["], label: "[ ]", text: "slower, faster", run: () => player.changeSpeed(-1) },
    { keys: ["]"], text: "", run: () => player.changeSpeed(1) },
    { keys: presets.map((_, i) => String(i + 1)), label: `1 – ${presets.length}`, text: `camera: ${presets.join(", ")}`, run: (event) => app.stage.look(presets[Number(event.key) - 1]) },
    { keys: ["f", "F"], label: "F", text: "fit what is there now", run: () => app.fitNow() },
    { keys: ["l", "L"], label: "L", text: "camera follows the contact, or not", run: () => app.setFollow(settings.follow === "contact" ? "none" : "contact") },
    { keys: ["n", "N"], label: "N", text: "net force arrows", run: arrow("force") },
    { keys: ["m", "M"], label: "M", text: "moment arrows", run: arrow("moment") },
    { keys: ["r", "R"], label: "R", text: "friction traction", run: arrow("friction") },
    { keys: ["v", "V"], label: "V", text: "slip velocity", run: arrow("slip") },
    { keys: ["c", "C"], label: "C", text: "shapes as they look, as contact sees them, both", run: shapes },
    { keys: ["e", "E"], label: "E", text: "edges of the triangles", run: flip("edges") },
    { keys: ["t", "T"], label: "T", text: "tetrahedra", run: flip("tetrahedra") },
    { keys: ["g", "G"], label: "G", text: "edges of the patches", run: flip("patchEdges") },
    { keys: ["i", "I"], label: "I", text: "isobars", run: flip("isobars") },
    { keys: ["x", "X"], label: "X", text: "patches", run: flip("patches") },
    { keys: ["p", "P"], label: "P", text: "plots", run: () => app.toggleElement("no-plots") },
    { keys: ["h", "H"], label: "H", text: "settings", run: () => app.toggleElement("no-panel") },
    { keys: ["d", "D"], label: "D", text: "dark or light", run: () => app.toggleTheme() },
    { keys: ["s", "S"], label: "S", text: "save a picture", run: () => void app.savePicture() },
    { keys: ["o", "O"], label: "O", text: "save pictures, animations, links", run: () => app.toggleSaving() },
    { keys: ["?"], text: "this help", run: () => app.toggleHelp() },
    { keys: ["Escape"], label: "Esc", text: "close", run: () => app.closeAll() },
  ];
  if (live) actions.splice(8, 2, { keys: ["0"], text: "reset the simulation", run: () => app.live?.send({ type: "reset" }) });
  return actions;
}
