// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The page's decoder against a recording written by the C++ program, and against damage.
//   RECORDING: path of that recording: `patchfield run scene:sphere_on_plane --duration 1 --record …`

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BoxGeometry, SphereGeometry } from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { RecordingError, crc32, fromBase64 } from "../src/bytes";
import { digits } from "../src/format";
import { uniqueEdges } from "../src/mesh_builder";
import { creasedGeometry } from "../src/normals";
import { rim } from "../src/patch_view";
import { niceStep } from "../src/scale";
import { Recording } from "../src/recording";
import { collectGroups } from "../src/series";

const bytes = new Uint8Array(readFileSync(process.env["RECORDING"]!));
const recording = Recording.fromFile(bytes);
const last = recording.numFrames - 1;

// A ball of 0.5 kg has come to rest on a rigid plane.
const MASS = 0.5;
const GRAVITY = 9.81;

test("frames come at their rate", () => {
  assert.equal(recording.problem, "");
  assert.equal(recording.numFrames, 60);
  assert.ok(Math.abs(recording.endTime - recording.startTime - 59 / 60) < 5e-3);
});

test("the force carries the weight", () => {
  const patch = recording.states[last]!.patches[0]!;
  assert.ok(Math.abs(patch.force[2] - MASS * GRAVITY) < 1e-3 * MASS * GRAVITY, `${patch.force}`);
  assert.equal(recording.pairName(patch), "floor – ball");
});

test("pressure times area is the force: vertices, corners and pressures belong together", () => {
  const state = recording.states[last]!;
  const fields = recording.fields(last)[0]!;
  let force = 0;
  let area = 0;
  for (let f = 0; f + 1 < fields.faceStart.length; ++f)
    for (let k = fields.faceStart[f]! + 1; k + 1 < fields.faceStart[f + 1]!; ++k) {
      const corners = [fields.corners[fields.faceStart[f]!]!, fields.corners[k]!, fields.corners[k + 1]!];
      const at = (i: number, axis: number) => fields.positions[3 * corners[i]! + axis]!;
      const part = ((at(1, 0) - at(0, 0)) * (at(2, 1) - at(0, 1)) - (at(1, 1) - at(0, 1)) * (at(2, 0) - at(0, 0))) / 2;
      area += Math.abs(part);
      force += (Math.abs(part) * corners.reduce((sum, c) => sum + fields.pressures[c]!, 0)) / 3;
      assert.ok(corners.every((c) => Math.abs(fields.positions[3 * c + 2]!) < 1e-6)); // in the plane z = 0
    }
  const patch = state.patches[0]!;
  // The skirt of the margin is left out of the faces but not of the area, and has p < 0 where faces cross its rim.
  assert.ok(area <= patch.area * (1 + 1e-5) && area > 0.8 * patch.area, `${area} ${patch.area}`);
  assert.ok(Math.abs(force - MASS * GRAVITY) < 0.03 * MASS * GRAVITY, `${force}`);
  assert.ok(Math.abs(Math.max(...fields.pressures) - patch.peakPressure) < 1e-3 * patch.peakPressure);
});

test("meshes are closed surfaces", () => {
  const ball = recording.header.geoms.find((geom) => geom.name === "ball")!;
  const triangles = recording.indices(ball.mesh!.triangles);
  // V − E + F = 2 of a sphere
  const vertices = new Set(triangles).size;
  assert.equal(vertices - uniqueEdges(triangles, 3).length / 2 + triangles.length / 3, 2);
  assert.ok(recording.indices(ball.mesh!.tets!).length > 0);
});

test("the outline of a patch is a closed line", () => {
  const degree = new Map<number, number>();
  for (const v of rim(recording.fields(last)[0]!)) degree.set(v, (degree.get(v) ?? 0) + 1);
  assert.ok(degree.size > 3);
  assert.ok([...degree.values()].every((d) => d % 2 === 0));
});

test("time is found by bisection", () => {
  for (let i = 0; i < recording.numFrames; ++i) assert.equal(recording.frameAt(recording.states[i]!.time), i);
  assert.equal(recording.frameAt(-1), 0);
  assert.equal(recording.frameAt(1e9), last);
});

test("curves have a value per frame", () => {
  const groups = collectGroups(recording);
  assert.ok(groups.some((group) => group.name === "Force"));
  for (const group of groups) for (const series of group.series) assert.equal(series.values.length, recording.numFrames);
});

test("a file cut anywhere gives the frames before the cut, or a sentence", () => {
  let most = 0;
  for (let size = 0; size < bytes.length; size += 97) {
    try {
      const cut = Recording.fromFile(bytes.slice(0, size));
      assert.ok(cut.problem !== "" && cut.numFrames >= most);
      most = cut.numFrames;
    } catch (error) {
      assert.ok(error instanceof RecordingError, String(error));
    }
  }
  assert.ok(most >= recording.numFrames - 1);
});

test("a flipped bit is noticed", () => {
  for (let at = 0; at < bytes.length; at += 61) {
    const broken = bytes.slice();
    broken[at]! ^= 1 << at % 8;
    try {
      assert.notEqual(Recording.fromFile(broken).problem, "", `byte ${at}`);
    } catch (error) {
      assert.ok(error instanceof RecordingError, String(error));
    }
  }
});

test("nothing at all, or something else", () => {
  assert.throws(() => Recording.fromFile(new Uint8Array(0)), /empty/);
  assert.throws(() => Recording.fromFile(new TextEncoder().encode("GIF89a, a picture")), /no recording/);
});

test("checksum and base64 are the usual ones", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  assert.deepEqual([...fromBase64(" TW\nE= rest")], [77, 97]);
  assert.deepEqual(fromBase64(Buffer.from(bytes).toString("base64")), bytes);
});

test("numbers are short", () => {
  assert.deepEqual([0, 1234567, 0.00012, -1.5, 12.34, NaN].map(digits), ["0", "1.2e6", "0.00012", "−1.5", "12.3", "–"]);
  assert.deepEqual([0.13, 0.21, 0.6, 8].map(niceStep).map((x) => Number(x.toPrecision(3))), [0.1, 0.2, 0.5, 10]);
});

test("normals are smooth below the crease and sharp above it", () => {
  // A fan of flat triangles about one vertex, as CAD meshes have them: one normal, however many.
  const n = 2000;
  const fan = new Float32Array(3 * (n + 1));
  const triangles = new Uint32Array(3 * n);
  for (let i = 0; i < n; ++i) {
    fan.set([Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n), 0], 3 * (i + 1));
    triangles.set([0, 1 + i, 1 + ((i + 1) % n)], 3 * i);
  }
  const flat = creasedGeometry(fan, triangles, 0.9).getAttribute("normal");
  for (let i = 0; i < flat.count; ++i) assert.ok(Math.abs(flat.getZ(i) - 1) < 1e-6);
  // A cube keeps its edges: every corner has the normal of its face, as three.js' own function finds.
  const cube = new BoxGeometry(1, 1, 1);
  const index = Uint32Array.from(cube.getIndex()!.array);
  const mine = creasedGeometry(cube.getAttribute("position").array as Float32Array, index, 0.9);
  const theirs = toCreasedNormals(cube, 0.9);
  assert.deepEqual([...mine.getAttribute("normal").array].map(Math.round), [...theirs.getAttribute("normal").array].map(Math.round));
  // A ball of 8 × 6 segments is smooth: normals point along the radius.
  const ball = new SphereGeometry(1, 24, 16);
  const round = creasedGeometry(ball.getAttribute("position").array as Float32Array, Uint32Array.from(ball.getIndex()!.array), 0.9);
  for (let i = 0; i < round.getAttribute("position").count; ++i) {
    const [p, q] = [round.getAttribute("position"), round.getAttribute("normal")];
    assert.ok(p.getX(i) * q.getX(i) + p.getY(i) * q.getY(i) + p.getZ(i) * q.getZ(i) > 0.97);
  }
});
