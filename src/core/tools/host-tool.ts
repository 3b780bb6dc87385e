// Tools of others: of other extensions, of MCP servers. The shell brings them, as they are now; here they become rows
// of the table, each in its owner's namespace, switched off until the user chooses them, and their answers go the
// way of every answer: capped, rid of secrets, an error being something for the model to read.

import { createHash } from "node:crypto";
import { readArguments } from "../api/tool-calls.ts";
import { Refusal } from "../files/refusal.ts";
import { message } from "../messages/message.ts";
import { writeJson } from "../util/json.ts";
import { ofTheDisk } from "./list-problems.ts";
import type { Tool, ToolResult } from "./tool.ts";

export interface HostTool {
  /** Whose it is. */
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments; whoever owns the tool checks them. */
  readonly parameters: object;
  /** It says that it only looks; then it runs side by side with others. */
  readonly readOnly: boolean;
  /** The arguments in a few words for people; absent: as they are. */
  summary?(input: Readonly<Record<string, unknown>>): string;
  /** A rejection's message is shown to the model. */
  call(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<HostAnswer>;
}

export type HostAnswer = Pick<ToolResult, "output" | "images">;

const seconds = 120;

export function hostTool(host: HostTool): Tool {
  const [name, namespace] = [plain(host.name), plain(host.namespace)];
  const { description, parameters, readOnly } = host;
  const schema = { type: "object", ...parameters };
  const definition = writeJson({ type: "function", name, description, strict: false, parameters: schema });
  const identity = JSON.stringify([host.namespace, host.name, definition]);
  return {
    name,
    namespace,
    identity: createHash("sha256").update(identity).digest("hex"),
    definition,
    kind: readOnly ? "read" : "write",
    permission: "off",
    seconds,
    prepare(text) {
      const input = readArguments(text);
      if (input === undefined) throw new Refusal(message("toolNoObject", { name }));
      const summary = host.summary?.(input) ?? text.trim();
      return {
        summary,
        async run({ proposed }, signal) {
          const answer = await answerOf(host, input, signal);
          return { ...answer, output: `${answer.output}${ofTheDisk(proposed)}` };
        },
      };
    },
  };
}

async function answerOf(
  host: HostTool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<HostAnswer> {
  try {
    return await host.call(input, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new Refusal(
      message("toolFailedSaying", {
        name: host.name,
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
  }
}

/** Requirements B22: the characters that a name may have on the wire. */
const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/g, "_");
