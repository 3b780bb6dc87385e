// `run_command`: one command line on a copy of the workspace with the proposals in it. What it changes there becomes a
// proposal; a person decides where commands may run at all.
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { longestLine } from "../../conversation/state.ts";
import { Refusal } from "../../files/refusal.ts";
import { visibleName } from "../../util/hidden-characters.ts";
import { forModel } from "../../util/sentences.ts";
import {
  type CallContext,
  capOutput,
  functionTool,
  type ReadyCommand,
  type Tool,
  type ToolResult,
} from "../tool.ts";
import { proposeTexts } from "./propose-texts.ts";

const maxSeconds = 900;
/** What a command prints last tells most. */
const maxBytes = 24 * 1024;
const tailBytes = 16 * 1024;
const maxNames = 20;

/** How a call runs, once that is decided. */
const readyCalls = new WeakMap<object, ReadyCommand>();

const { seconds: _, ...declared } = functionTool({
  name: "run_command",
  needs: "commands",
  description:
    "Runs a shell line (a test, a formatter) on a fresh copy with your proposals and node_modules; no terminal, input, network or .git. Text files it changes are proposed; nothing else outlives the call, nor does /tmp.",
  parameters: {
    type: "object",
    properties: {
      command: { type: "string" },
      folder: { type: "string", description: "Where there are several." },
      network: { type: "boolean", description: "The user is asked." },
      real: {
        type: "boolean",
        description: "In the user's own folder, if a copy cannot do it. The user is asked.",
      },
      seconds: { type: "integer", description: "Time limit, else 120." },
    },
    required: ["command"],
    additionalProperties: false,
  },
  kind: "write",
  input: z.object({
    command: z.string().check(z.minLength(1), z.maxLength(longestLine), z.regex(/^[^\0]*$/)),
    folder: z.optional(z.string()),
    network: z.optional(z.boolean()),
    real: z.optional(z.boolean()),
    seconds: z.optional(z.int().check(z.minimum(1), z.maximum(maxSeconds))),
  }),
  summary: ({ command }) => command,
  line: ({ command }) => command,
  async ask(input, { commands }, signal) {
    if (commands === undefined) throw new Refusal(message("commandNowhere"));
    const { command: line, ...more } = input;
    const ready = await commands.prepare({ line, ...more }, signal);
    readyCalls.set(input, ready);
    return ready;
  },
  async run(input, context, signal) {
    const ready = readyCalls.get(input);
    if (ready === undefined) throw new Refusal(message("commandNowhere"));
    return runReady(ready, context, signal);
  },
});

/** It has limits of its own, and is not abandoned while it may still change its copy. */
export const runCommand: Tool = declared;

async function runReady(ready: ReadyCommand, context: CallContext, signal: AbortSignal): Promise<ToolResult> {
  const { stop, live, beside } = context;
  const { told, message: said, output, left, notes } = await ready.run({ stop, live }, signal);
  // Without anything to propose, its row may still say what a stopped one has changed.
  if (left.length > 0) signal.throwIfAborted();
  const proposed = left.length === 0 ? undefined : await proposeTexts(left, { ...context, ...beside() });
  const shown = output === "" ? forModel("It printed nothing.") : capOutput(output, maxBytes, tailBytes);
  const conflicts = (proposed?.notProposed ?? []).flatMap(({ path, why }) =>
    why === undefined ? [path] : [],
  );
  const refused = (proposed?.notProposed ?? []).flatMap(({ path, why }) => (why === undefined ? [] : [path]));
  return {
    output: [
      told,
      shown,
      ...(proposed?.output === undefined ? [] : [forModel(`What it changed: ${proposed.output.trimEnd()}`)]),
      ...namesOf(forModel("Not proposed, because these files have changed meanwhile"), conflicts),
      ...namesOf(forModel("Not proposed, because a patch may not change them either"), refused),
      ...(proposed?.isTooLarge === true
        ? [forModel("It changed more than a proposal may have. Nothing of that is proposed.")]
        : []),
      ...notes,
    ].join("\n"),
    message: said,
    paths: proposed?.paths ?? [],
  };
}

function namesOf(words: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > maxNames ? forModel(` and ${paths.length - maxNames} more`) : "";
  return [`${words}: ${paths.slice(0, maxNames).map(visibleName).join(", ")}${more}.`];
}
