// How one call is shown while it runs: a tool as a row, a patch as a card. Both speak in events.
import type { ToolCall } from "../api/reply.ts";
import type { ToolStatus } from "../conversation/tool-use.ts";
import type { PatchShown } from "../tools/tool.ts";
import { fullName } from "../tools/tool-table.ts";
import { present } from "../util/present.ts";
import type { CallPlace, Tell } from "./run-call.ts";

export interface CallDisplay {
  understood(summary: string): Promise<void>;
  asked(question: string): Promise<void>;
  running(): Promise<void>;
  done(output: string, message: string | undefined): Promise<void>;
  failed(sentence: string, declined: boolean): Promise<void>;
  show(patch: PatchShown): Promise<void>;
}

/** The page shows the beginning of an output; the model has all of it. */
const previewLength = 2000;

export function displayTool(call: ToolCall, { turn, part }: CallPlace, tell: Tell): CallDisplay {
  let summary = "";
  const row = (status: ToolStatus, more: { message?: string | undefined; output?: string }) =>
    tell({
      type: "tool",
      turn,
      part,
      call: call.callId,
      name: fullName(call),
      status,
      summary,
      ...present(more),
    });
  return {
    async understood(text) {
      summary = text;
    },
    asked: (message) => row("asked", { message }),
    running: () => row("running", {}),
    done: (output, message) => row("done", { message, output: output.slice(0, previewLength) }),
    failed: (message, declined) => row(declined ? "refused" : "failed", { message }),
    show: async () => {},
  };
}

export function displayPatch(call: ToolCall, { turn, part }: CallPlace, tell: Tell): CallDisplay {
  let last: PatchShown = { status: "arriving", files: [] };
  const show = (patch: PatchShown) => {
    last = patch;
    return tell({ type: "patch", turn, part, call: call.callId, ...present(patch) });
  };
  return {
    understood: async () => {},
    asked: async () => {},
    running: async () => {},
    // It has shown its own end.
    done: async () => {},
    failed: (message, declined) =>
      show({ ...last, status: declined ? "rejected" : "failed", message, output: message }),
    show,
  };
}
