// What a running turn shows below its text: that it works, for how long, or until when it waits.
import { waitingTools } from "../../../../conversation/reduce.ts";
import type { Turn } from "../../../../conversation/state.ts";
import { h, setText } from "../../../elements/dom.ts";
import { duration, messageText } from "../../../words/messages.ts";
import { fill, strings } from "../../../words/strings.ts";

/** The line below a running turn: "Working", for how long, and what it waits for. The foot passes it the time. */
export function turnProgress() {
  const root = h("p", { class: "progress" });
  return { root, update: (turn: Turn, now: number): void => setText(root, progressText(turn, now)) };
}

function progressText(turn: Turn, now: number): string {
  const { at, waiting } = turn;
  const asking = waitingTools(turn);
  if (asking.some((part) => part.type === "tool" && part.question !== undefined)) return strings.needsReply;
  if (asking.length > 0) return strings.needsApproval;
  if (waiting !== undefined) {
    const left = Math.max(1000, waiting.until - now);
    return fill(strings.waiting, {
      reason: messageText(waiting.reason),
      duration: duration(left),
    });
  }
  const passed = now - at;
  // No number for the first seconds.
  return passed < 3000 ? strings.working : fill(strings.workingFor, { duration: duration(passed) });
}
