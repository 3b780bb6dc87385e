// How one call is shown while it runs: a tool as a row, a patch as a card. Both speak in events.

import type { ToolCall } from "../api/reply.ts";
import type { ToolStatus } from "../conversation/tool-use.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { type Message, withArguments } from "../messages/message.ts";
import type { PatchShown } from "../tools/tool.ts";
import { fullName } from "../tools/tool-table.ts";
import { present } from "../util/present.ts";
import { wellFormed } from "../util/well-formed.ts";
import type { CallPlace, Tell } from "./run-call.ts";

export interface CallDisplay {
  understood(summary: string | Message): Promise<void>;
  asked(question: Message): Promise<void>;
  running(): Promise<void>;
  done(output: string, message: Message | undefined): Promise<void>;
  /** `told`: what the model is told. */
  failed(reason: Message, output: string, declined: boolean): Promise<void>;
  show(patch: PatchShown): Promise<void>;
}

/** The page shows the beginning of an output; the model has all of it. */
const previewLength = 2000;
/** What a model asks for is as long as it likes; a row is not. */
export const longestSummary = 200;
export const few = (text: string, most: number): string =>
  text.length <= most ? text : wellFormed(`${text.slice(0, most - 1)}…`);

/** Names and reasons in it are the model's or somebody else's. */
const shown = (message: Message): Message =>
  withArguments(message, (text) => few(takeOutSecrets(text.slice(0, 2 * previewLength)).text, previewLength));

export function displayTool(call: ToolCall, { turn, part }: CallPlace, tell: Tell): CallDisplay {
  let summary: string | Message = "";
  const row = (status: ToolStatus, more: { message?: Message | undefined; output?: string }) =>
    tell({
      type: "tool",
      turn,
      id: part,
      call: call.callId,
      name: few(fullName(call), longestSummary),
      status,
      summary,
      ...present(more),
    });
  return {
    async understood(text) {
      summary =
        typeof text === "string"
          ? few(text, longestSummary)
          : withArguments(text, (each) => few(each, longestSummary));
    },
    asked: (message) => row("asked", { message }),
    running: () => row("running", {}),
    done: (output, message) => row("done", { message, output: output.slice(0, previewLength) }),
    failed: (reason, _, declined) => row(declined ? "refused" : "failed", { message: shown(reason) }),
    show: async () => {},
  };
}

export function displayPatch(name: string, { turn, part }: CallPlace, tell: Tell): CallDisplay {
  let last: PatchShown = { status: "arriving", files: [] };
  const show = (patch: PatchShown) => {
    last = patch;
    return tell({ type: "patch", turn, id: part, call: name, ...present(patch) });
  };
  return {
    understood: async () => {},
    asked: async () => {},
    running: async () => {},
    // It has shown its own end.
    done: async () => {},
    failed: (reason, output, declined) =>
      show({ ...last, status: declined ? "rejected" : "failed", message: shown(reason), output }),
    show,
  };
}
