// How one call is shown while it runs: a tool as a row, a patch as a card. Both speak in events.
import type { ToolCall } from "../api/reply.ts";
import type { ToolStatus } from "../conversation/tool-use.ts";
import type { PatchShown } from "../tools/tool.ts";
import { fullName } from "../tools/tool-table.ts";
import { present } from "../util/present.ts";
import { wellFormed } from "../util/well-formed.ts";
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
/** What a model asks for is as long as it likes; a row is not. */
const longestSummary = 200;
const few = (text: string, most: number): string =>
  text.length <= most ? text : wellFormed(`${text.slice(0, most - 1)}…`);

export function displayTool(call: ToolCall, { turn, part }: CallPlace, tell: Tell): CallDisplay {
  let summary = "";
  const row = (status: ToolStatus, more: { message?: string | undefined; output?: string }) =>
    tell({
      type: "tool",
      turn,
      part,
      call: call.callId,
      name: few(fullName(call), longestSummary),
      status,
      summary,
      ...present(more),
    });
  return {
    async understood(text) {
      summary = few(text, longestSummary);
    },
    asked: (message) => row("asked", { message }),
    running: () => row("running", {}),
    done: (output, message) => row("done", { message, output: output.slice(0, previewLength) }),
    failed: (sentence, declined) =>
      row(declined ? "refused" : "failed", { message: few(sentence, previewLength) }),
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
    failed: (sentence, declined) =>
      show({
        ...last,
        status: declined ? "rejected" : "failed",
        message: few(sentence, previewLength),
        output: sentence,
      }),
    show,
  };
}
