// What is typed while another conversation is being opened is meant for that one: it goes along. What stood in the box
// before stays with the conversation that is left.
import type { ToHost } from "../bridge/protocol.ts";

export interface MovingDraft {
  /** The page asks for this while that stands in the box. */
  asks(message: ToHost, draft: string): void;
  /** Another conversation is here; answers what goes along of what stands in the box. */
  arrives(draft: string): string;
}

export function movingDraft(): MovingDraft {
  let left: string | undefined;
  return {
    asks(message, draft) {
      if (leaves(message)) left = draft;
      // It was said in the one that is open: nobody is on the way.
      else if (message.type === "send") left = undefined;
    },
    arrives(draft) {
      const before = left;
      left = undefined;
      if (before === undefined) return "";
      return (draft.startsWith(before) ? draft.slice(before.length) : draft).trim();
    },
  };
}

const leaves = (message: ToHost): boolean =>
  (message.type === "act-on-turn" && message.action === "branch") ||
  (message.type === "run" && (message.command === "new-conversation" || message.command === "go-back"));
