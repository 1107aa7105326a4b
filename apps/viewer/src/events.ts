// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What happens in a recording: contacts made and lost, slip that begins, and marks that a person sets.

import type { FrameState } from "./frame";
import type { Recording } from "./recording";

export type EventKind = "made" | "lost" | "slip" | "mark";
export interface ContactEvent {
  kind: EventKind;
  time: number;
  text: string;
}

export const EVENT_COLORS: Record<EventKind, string> = { made: "#3aa0e6", lost: "#98a3ae", slip: "#e69f00", mark: "#d55e8a" };
export const EVENT_NAMES: Record<EventKind, string> = { made: "contact made", lost: "contact lost", slip: "slip begins", mark: "mark" };

/** A pair slips from here on, and sticks again below the second [m/s]: the regularized friction creeps a little at rest. */
const SLIPS = 1e-3;
const STICKS = 5e-4;
/** A contact that comes back within so long was not lost [s]: pairs chatter at the rim of a patch. */
const CHATTER = 0.05;

interface PairState {
  since: number;
  last: number;
  slips: boolean;
}

/** In the order of time. */
export function findEvents(recording: Recording): ContactEvent[] {
  const events: ContactEvent[] = [];
  const pairs = new Map<string, PairState & { name: string }>();
  const lose = (key: string, at: number) => {
    const pair = pairs.get(key)!;
    events.push({ kind: "lost", time: at, text: pair.name });
    pairs.delete(key);
  };
  recording.states.forEach((state: FrameState) => {
    for (const patch of state.patches) {
      const key = `${patch.geomA} ${patch.geomB}`;
      let pair = pairs.get(key);
      if (!pair) {
        pairs.set(key, (pair = { since: state.time, last: state.time, slips: false, name: recording.pairName(patch) }));
        // What touches from the beginning was not made then.
        if (state.time > recording.startTime) events.push({ kind: "made", time: state.time, text: pair.name });
      }
      pair.last = state.time;
      if (!pair.slips && patch.peakSlip > SLIPS) {
        pair.slips = true;
        events.push({ kind: "slip", time: state.time, text: pair.name });
      } else if (patch.peakSlip < STICKS) pair.slips = false;
    }
    for (const [key, pair] of pairs) if (state.time - pair.last > CHATTER) lose(key, pair.last);
  });
  return events.sort((a, b) => a.time - b.time);
}
