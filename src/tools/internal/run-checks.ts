// `run_checks`: runs the person's checks on what the model has proposed, or on the workspace if nothing is proposed.
// The model may name one check, but only a person decides which commands exist.
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { locate, Refusal } from "../../files/refusal.ts";
import type { FileName } from "../../patch/model.ts";
import { type CallContext, functionTool } from "../tool.ts";

/** Checks have their own time limits. */
const maxSeconds = 3600;

export const runChecks = functionTool({
  name: "run_checks",
  needs: "checks",
  instruction: "run_checks also runs by itself when you finish; what is new comes back to you.",
  description:
    "Runs the user's own checks (types, lint, tests) on a copy with your proposals: what is new, gone, still there; with nothing proposed, all they find.",
  parameters: {
    type: "object",
    properties: {
      check: { type: "string", description: "The name of one, else all that run by themselves." },
      path: { type: "string", description: "List only findings in this file or folder." },
    },
    additionalProperties: false,
  },
  kind: "write",
  seconds: maxSeconds,
  input: z.object({ check: z.optional(z.string()), path: z.optional(z.string()) }),
  summary: ({ check, path }) => [check, path].filter((part) => part !== undefined).join(", "),
  async run({ check, path }, context, signal) {
    const { checks } = context;
    if (checks === undefined) throw new Refusal(message("checkNone"));
    const near = (paths: readonly string[]) => nearIn(paths, context);
    return checks.run(check?.trim() || undefined, signal, near, path);
  },
});

/** Files that were named, attached or read, or are open. */
function nearIn(
  paths: readonly string[],
  { scopeOf, turn, files }: Pick<CallContext, "scopeOf" | "turn" | "files">,
): ReadonlySet<string> {
  const isNear = scopeOf?.(turn, []);
  if (isNear === undefined) return new Set();
  const near = paths.filter((path) => {
    const file = fileOf(path, files.folders);
    return file !== undefined && isNear(file, path);
  });
  // If none of the files was meant, all of them are.
  return new Set(near.length === paths.length ? [] : near);
}

/** A path named by a check may be anywhere. */
function fileOf(path: string, folders: readonly string[]): FileName | undefined {
  try {
    return locate(path, folders);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
