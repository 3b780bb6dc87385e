// The line below a turn that runs: "Working", for how long, what it waits for. The foot it is part of tells it the time.
import type { Turn } from "../../core/conversation/state.ts";
import { asking } from "../../core/conversation/waiting-tools.ts";
import { h, setText } from "../dom.ts";
import { duration } from "../duration.ts";
import { wordsOf } from "../messages.ts";
import { fill, words } from "../words.ts";

export function turnProgress() {
  const root = h("p", { class: "progress" });
  return { root, update: (turn: Turn, now: number): void => setText(root, progressText(turn, now)) };
}

function progressText(turn: Turn, now: number): string {
  const { at, waiting } = turn;
  if (asking(turn).length > 0) return words.needsApproval;
  if (waiting !== undefined) {
    const left = Math.max(1000, waiting.until - now);
    return fill(words.waiting, {
      reason: wordsOf(waiting.reason),
      duration: duration(left),
    });
  }
  const passed = now - at;
  // The first seconds are not worth a number.
  return passed < 3000 ? words.working : fill(words.workingFor, { duration: duration(passed) });
}
