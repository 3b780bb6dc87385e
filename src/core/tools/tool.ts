// What a tool is: one row of the table. The model sees `definition`; everything else is ours. Knows no turn.

import * as z from "zod/mini";
import type { ChangeSet } from "../changes/change-set.ts";
import type { Workspace } from "../changes/workspace.ts";
import type { Permission } from "../conversation/permission.ts";
import type { PatchPart } from "../conversation/tool-use.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import type { Protection } from "../files/protected-files.ts";
import { Refusal } from "../files/refusal.ts";
import { type Message, message } from "../messages/message.ts";
import type { FileName } from "../patch/model.ts";

export interface Tool {
  readonly name: string;
  /** Whose tool it is; ours have none. */
  readonly namespace?: string;
  /** Of a tool of others: a hash of whose it is and all that it says of itself. */
  readonly identity?: string;
  /** Raw JSON: its bytes are part of the cached prefix. Of a namespaced tool, without the namespace around it. */
  readonly definition: string;
  /** Readers run side by side, writers alone and in order. */
  readonly kind: "read" | "write";
  readonly permission: Permission;
  /** How long it may take; absent: it ends by itself, and what it has begun is not abandoned. */
  readonly seconds?: number;
  /** It shows by itself, through its context, what is decided later. */
  readonly reviews?: true;
  /** Reads the input of a call. Throws Refusal when it is not what the definition asks for. */
  prepare(input: string): PreparedCall;
}

export interface PreparedCall {
  /** What it will do, in a few words for people. */
  readonly summary: string | Message;
  run(context: CallContext, signal: AbortSignal): Promise<ToolResult>;
}

export interface ToolContext extends ToolWorld {
  /** The same as it stands at a later moment. */
  overlay(): Promise<ToolWorld>;
  readonly changes: Pick<ChangeSet, "propose" | "fatesOf">;
  /** The person's own checks on what is proposed; absent: they have set up none. */
  readonly checks?: { report(signal: AbortSignal): Promise<ToolResult> };
  /** Which files the settings want to be asked about. */
  readonly protection: Protection;
  /**
   * Of a patch that is about `paths`: whether a file belongs to what was asked. It was named, attached, open, or read by a
   * tool; or the question names no file at all, neither one of these paths nor another.
   */
  scopeOf?(turn: string, paths: readonly string[]): (file: FileName, path: string) => boolean;
  /** By whom a patch of this turn is made. */
  origin?(turn: string): { readonly model?: string; readonly receipt?: string };
}

/** What tools see of the workspace: its files, and over them what the session proposes. */
export interface ToolWorld {
  readonly files: GuardedFiles;
  readonly workspace: Workspace;
  /** How many files are not yet on the disk as they are seen here. */
  readonly proposed: number;
}

/** What a single call is given on top. */
export interface CallContext extends ToolContext {
  readonly turn: string;
  readonly call: string;
  /** Shows a patch on its way. Resolves once that is saved. */
  show(patch: PatchShown): Promise<void>;
}

export type PatchShown = Omit<PatchPart, "type" | "id" | "call">;

export interface ToolResult {
  /** For the model. Capped once, by whoever runs the tool; data becomes JSON. */
  readonly output: string;
  /** Pictures for the model, as data URLs: an output is text, so that they follow it. */
  readonly images?: readonly string[];
  /** For people, a few words; absent when the status says enough. */
  readonly message?: Message;
}

interface ToolSpec<Input> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; `input` below checks the same, in our words. */
  readonly parameters: object;
  readonly input: z.ZodMiniType<Input>;
  readonly kind?: Tool["kind"];
  readonly permission?: Permission;
  readonly seconds?: number;
  summary(input: Input): string | Message;
  run(input: Input, context: CallContext, signal: AbortSignal): Promise<ToolResult>;
}

export function functionTool<Input>(spec: ToolSpec<Input>): Tool {
  const { name, description, parameters, kind = "read", permission = "auto", seconds = 30 } = spec;
  return {
    name,
    definition: JSON.stringify({ type: "function", name, description, strict: false, parameters }),
    kind,
    permission,
    seconds,
    prepare(text) {
      const input = readInput(name, text, spec.input);
      return { summary: spec.summary(input), run: (context, signal) => spec.run(input, context, signal) };
    },
  };
}

/** Requirements E4: never repaired, never guessed. No arguments at all are an empty object. */
function readInput<Input>(tool: string, text: string, schema: z.ZodMiniType<Input>): Input {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(message("toolNoJson", { name: tool }));
  }
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(
    (issue) => `${issue.path.join(".") || "the arguments"}: ${wants(issue)}`,
  );
  throw new Refusal(message("toolNoFit", { name: tool, problem: wrong.join("; ") }));
}

function wants(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "too_small":
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    default:
      return "is not allowed";
  }
}
