// A tool is one file that declares everything about it except its display name: the page needs that as well, so it is
// among the sentences of `conversation`, under the tool's name. The model sees `definition`, and in its
// instructions `ability` and `instruction`. Knows no turns.
import * as z from "zod/mini";
import type { ChangeSet } from "../changes/change-set.ts";
import type { Code } from "../conversation/english.ts";
import type { Decision } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { Permission } from "../conversation/models.ts";
import type { PatchPart, Plan, UserQuestion } from "../conversation/state.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import type { Protection } from "../files/privacy.ts";
import { Refusal } from "../files/refusal.ts";
import type { Workspace } from "../files/workspace.ts";
import type { FileName } from "../patch/model.ts";
import type { ToolCall } from "../service/reply.ts";
import { present } from "../util/present.ts";
import { forModel } from "../util/sentences.ts";

export interface Tool {
  readonly name: string;
  /** The owner of a third-party tool; Patchbay's own tools have none. */
  readonly namespace?: string;
  /** For third-party tools: a hash of the owner and of everything the tool says about itself. */
  readonly identity?: string;
  /** Raw JSON; its bytes are part of the cached prefix. For a namespaced tool, without the enclosing namespace. */
  readonly definition: string;
  /** The definition with hints at other tools, if these are offered. */
  definitionAmong?(offered: ReadonlySet<string>): string;
  /** What the instructions say a model can do with it, such as "read files". */
  readonly ability?: string;
  /** What else the instructions say of it, as sentences. */
  readonly instruction?: string;
  /** Readers run in parallel, writers one at a time and in order. */
  readonly kind: "read" | "write";
  /** False: a writer that changes and starts nothing, so that it may run while the user wants a plan first. */
  readonly acts?: false;
  readonly permission: Permission;
  /** Time limit in seconds. Absent: the tool ends on its own and is not abandoned once it has started. */
  readonly seconds?: number;
  /** It is offered only where there are such. */
  readonly needs?: "checks" | "commands" | "languages" | "git" | "skills";
  /** The tool itself shows, through its context, what a person decides later. */
  readonly reviews?: true;
  /** For a tool whose input may come in more than one form. */
  inputOf?(call: ToolCall): string;
  /** Parses the input of a call. Throws Refusal if it does not match the definition. */
  prepare(input: string): PreparedCall;
}

export interface PreparedCall {
  /** A short description for people of what the call will do. */
  readonly summary: string | Message;
  /** The exact line of a command. A person can end it alone. */
  readonly line?: string;
  /** Called before it runs: what a person is asked, whatever the tool's permission is. Throws Refusal. */
  ask?(context: ToolContext, signal: AbortSignal): Promise<CallAgreement>;
  run(context: CallContext, signal: AbortSignal): Promise<ToolResult>;
}

export interface CallQuestion {
  readonly text: Message;
  /** It can be allowed for the whole folder. */
  readonly canAllow?: true;
  /** They may change the line that was shown. */
  readonly canEdit?: true;
  accepted(decision: Decision): Promise<void>;
}

interface CallAgreement {
  /** Absent: nothing needs to be asked. */
  readonly question?: CallQuestion;
  /** Without a question, and where it was allowed for the whole folder, it runs by the permission for this one. */
  readonly folder?: string;
}

/** A command, in the way in which it runs or not at all. */
export interface ReadyCommand extends CallAgreement {
  run(call: Pick<CallContext, "stop" | "live">, signal: AbortSignal): Promise<CommandOutcome>;
}

interface CommandOutcome {
  /** How it ended, for the model. */
  readonly told: string;
  /** The same for people. */
  readonly message: Message;
  readonly output: string;
  /** What it has written or deleted on its copy. */
  readonly left: readonly WantedText[];
  /** What else it has changed, for the model. */
  readonly notes: readonly string[];
}

/** The text that a file should have. */
export interface WantedText {
  readonly file: FileName;
  /** `undefined`: without the file. */
  readonly text: string | undefined;
  /** The text it was derived from; `undefined`: there was no file. */
  readonly before: string | undefined;
  /** The file is known to be another one by now. */
  readonly isStale: boolean;
}

export interface ToolContext extends ToolWorld {
  /** A fresh view of the same workspace at a later moment. */
  overlay(): Promise<ToolWorld>;
  readonly changes: Pick<ChangeSet, "propose" | "statusesOf">;
  /** The person's checks on proposals; absent if none are configured. */
  readonly checks?: {
    /**
     * `near`: selects the files that the conversation is about; their findings are reported first. `path`: findings
     * elsewhere are only counted.
     */
    run(
      name: string | undefined,
      signal: AbortSignal,
      near: (paths: readonly string[]) => ReadonlySet<string>,
      path?: string,
    ): Promise<ToolResult>;
  };
  /** Absent where no commands can run. */
  readonly commands?: {
    prepare(
      command: {
        readonly line: string;
        readonly folder?: string | undefined;
        readonly network?: boolean | undefined;
        readonly seconds?: number | undefined;
        readonly real?: boolean | undefined;
      },
      turn: AbortSignal,
    ): Promise<ReadyCommand>;
  };
  /** Absent where the conversation began without skills. */
  readonly skills?: SkillReader;
  /** Files for which the settings require confirmation. */
  readonly protection: Protection;
  /**
   * For a patch to `paths`: whether a file is within what was asked for. It was named, attached, opened, or read by a
   * tool; or the question names no file at all, neither one of these paths nor another.
   */
  scopeOf?(turn: string, paths: readonly string[]): (file: FileName, path: string) => boolean;
  /** The model and receipt behind a patch of this turn. */
  origin?(turn: string): { readonly model?: string; readonly receipt?: string };
}

export interface SkillReader {
  /** Throws Refusal. */
  read(name: string): Promise<SkillText>;
}

/** A skill, in a frame that says what it is. */
export interface SkillText {
  readonly path: string;
  readonly text: string;
}

/** The workspace as tools see it: its files with the session's proposals applied. */
export interface ToolWorld {
  readonly files: GuardedFiles;
  readonly workspace: Workspace;
  /** Number of files that differ from the disk because of proposals. */
  readonly proposed: number;
}

/** Additional context for a single call. */
export interface CallContext extends ToolContext {
  readonly turn: string;
  readonly call: string;
  /** Whether the model may call this tool, too. Answers do not mention tools that are not offered. */
  offers(tool: string): boolean;
  /** Shows a patch that is in progress. Resolves once this is saved. */
  show(patch: PatchShown): Promise<void>;
  /** Shows the plan to the user. Throws Refusal if they have edited it and the model was not told yet: theirs stays. */
  showPlan(steps: Plan["steps"]): Promise<ToolResult>;
  /** Waits for the user's answer; `undefined` if they give none. Throws Refusal for a second question of one reply. */
  ask(question: UserQuestion): Promise<string | undefined>;
  /** A person ends this call, and not its turn. */
  readonly stop: AbortSignal;
  /** Shows the end of an output that is still arriving. */
  live(output: string): Promise<void>;
  /** For a proposal beside the row of this call: the name by which it is decided, and its card. */
  beside(): Pick<CallContext, "call" | "show">;
}

export type PatchShown = Omit<PatchPart, "type" | "id" | "call">;

export interface ToolResult {
  /** Text for the model. The caller caps it once; data is serialized as JSON. */
  readonly output: string;
  /** Pictures for the model, as data URLs. An output is text, so they are sent after it. */
  readonly images?: readonly string[];
  /** A short text for people; absent if the status says enough. */
  readonly message?: Message;
  /** The call had no effect, and the output says why. */
  readonly isRefused?: true;
  /** Paths of what it shows or changes; a folder's ends with a slash. The workspace may have instructions for them. */
  readonly paths?: readonly string[];
}

type CodesOf<Part extends string> = Code extends infer Each
  ? Each extends `${infer Name}.${Part}`
    ? Name
    : never
  : never;

interface ToolSpec<Input> extends Pick<Tool, "ability" | "instruction" | "needs" | "acts"> {
  /** People read what the sentences `<name>.toDo` and `<name>.done` call it. */
  readonly name: CodesOf<"toDo"> & CodesOf<"done">;
  readonly description: string;
  /** Appended to the description if that tool is offered, too. */
  readonly seeAlso?: { readonly tool: string; readonly words: string };
  /** JSON Schema. `input` below validates the same, with our own error messages. */
  readonly parameters: object;
  readonly input: z.ZodMiniType<Input>;
  readonly kind?: Tool["kind"];
  readonly permission?: Permission;
  readonly seconds?: number | "unlimited";
  summary(input: Input): string | Message;
  /** The exact line of a command. */
  line?(input: Input): string;
  /** What a person is asked before it runs. Throws Refusal. */
  ask?(input: Input, context: ToolContext, signal: AbortSignal): Promise<CallAgreement>;
  run(input: Input, context: CallContext, signal: AbortSignal): Promise<ToolResult>;
}

export function functionTool<Input>(spec: ToolSpec<Input>): Tool {
  const { name, description, seeAlso, parameters, kind = "read", permission = "auto", seconds = 30 } = spec;
  const { ability, instruction, needs, acts } = spec;
  const define = (description: string) =>
    JSON.stringify({ type: "function", name, description, strict: false, parameters });
  return {
    name,
    definition: define(description),
    ...(seeAlso !== undefined && {
      definitionAmong: (offered) =>
        define(offered.has(seeAlso.tool) ? `${description} ${seeAlso.words}` : description),
    }),
    ...present({ ability, instruction, needs, acts }),
    kind,
    permission,
    ...(seconds !== "unlimited" && { seconds }),
    prepare(text) {
      const input = readInput(name, text, spec.input);
      return {
        summary: spec.summary(input),
        run: (context, signal) => spec.run(input, context, signal),
        ...present({
          line: spec.line?.(input),
          ask:
            spec.ask &&
            ((context: ToolContext, signal: AbortSignal) =>
              spec.ask?.(input, context, signal) ?? Promise.resolve({})),
        }),
      };
    },
  };
}

/** Input is never repaired or guessed (requirements E4). Missing arguments count as an empty object. */
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

/**
 * Tool outputs are capped once, when they are produced. Capping them later would change bytes that were already sent
 * and with them the cached prefix (requirements E13).
 */
export const maxOutputBytes = 64 * 1024;
/** Limit for all outputs sent back together: a model may make many calls at once, and the user pays for each output. */
const maxTogether = 1024 * 1024;

/** The share of that limit for each of `outputs` outputs. */
export const outputShare = (outputs: number): number =>
  Math.min(maxOutputBytes, Math.floor(maxTogether / outputs));

/** Keeps the beginning and the end, and puts the number of omitted bytes between them. */
export function capOutput(text: string, most = maxOutputBytes, tailBytes = most >> 2): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return text;
  // A character takes at least one byte, so `most` characters are enough for either end. The bytes between them are
  // counted without encoding them.
  const begin = Buffer.from(text.slice(0, most));
  const end = Buffer.from(text.slice(-most));
  const headEnd = startOfCharacter(begin, most - tailBytes);
  const tailStart = startOfCharacter(end, end.length - tailBytes);
  const tail = end.toString("utf8", tailStart);
  const cut = `\n[… ${bytes - headEnd - (end.length - tailStart)} bytes are left out here …]\n`;
  return begin.toString("utf8", 0, headEnd) + cut + tail;
}

/** UTF-8 continuation bytes have the form 10xxxxxx. */
function startOfCharacter(bytes: Buffer, position: number): number {
  let at = position;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/** What the model is told of the user's answer to its question; `undefined`: they give none. */
export const answerForModel = (answer: string | undefined): string =>
  answer === undefined
    ? forModel("The user gives no answer. Go on with what you find likeliest, and say what you took.")
    : forModel(`The user answers:\n${answer}`);
