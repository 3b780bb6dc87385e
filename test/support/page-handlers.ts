// What a page asks for, recorded instead of done, for tests of the wall between host and page.
import type { Handlers } from "../../src/bridge/page-connection.ts";
import type { ToHost } from "../../src/bridge/protocol.ts";

export type Asked = Exclude<ToHost, { type: "ready" | "earlier" | "complete" }>;

const types = {
  send: 0,
  stop: 0,
  draft: 0,
  "choose-model": 0,
  "choose-agent": 0,
  unqueue: 0,
  deliver: 0,
  "send-queued": 0,
  attach: 0,
  "attach-uris": 0,
  pick: 0,
  detach: 0,
  cost: 0,
  "plan-rewind": 0,
  rewind: 0,
  "set-options": 0,
  run: 0,
  rename: 0,
  act: 0,
  answer: 0,
  "act-on-turn": 0,
  "edit-turn": 0,
  decide: 0,
  go: 0,
  "edit-plan": 0,
  "act-on-changes": 0,
  "act-on-check": 0,
  "act-on-breaking": 0,
  "act-on-remarks": 0,
  "try-ways": 0,
  "try-turn": 0,
  "choose-trial-way": 0,
  "act-on-trial": 0,
  "act-on-call": 0,
  "ask-again-in": 0,
  "open-file": 0,
  copy: 0,
  "use-code": 0,
  focus: 0,
  "open-link": 0,
  "show-code": 0,
  "colour-code": 0,
  "draw-diagram": 0,
} satisfies Record<Asked["type"], 0>;

/** Every message goes to `record`, but for those that are answered here. */
export function recordingHandlers(
  record: (message: Asked) => void,
  answers: Partial<Handlers> = {},
): Handlers {
  const all = Object.fromEntries(Object.keys(types).map((type) => [type, record]));
  return { ...(all as unknown as Handlers), ...answers };
}
