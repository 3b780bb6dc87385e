// What is played: a folder as it was before somebody changed it, what a person asks there, and how it is judged. Tasks are
// data, test/live/tasks/*.json; the folders of our own ones lie in test/live/own, those of others are cloned from mirrors.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as z from "zod/mini";
import { Attachment } from "../../src/conversation/state.ts";
import { type AskedProfile, isProfile } from "../sim/profiles.ts";

const words = z.string().check(z.minLength(1));
/** A path below something: it never leads out of it. */
const below = words.check(z.regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$)).*$/));
const expression = words.check(z.refine(isExpression, "This is no regular expression."));
const positive = z.int().check(z.positive());

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "is").source === text;
  } catch {
    return false;
  }
}

/** What a person does, one thing after the other. */
const Step = z.union([
  z.strictObject({
    ask: words,
    /** A command that is typed behind a slash, or that an action of the editor asks with. */
    command: z.optional(words),
    attachments: z.optional(z.array(Attachment)),
    outputTokens: z.optional(positive),
    /** What is proposed is accepted when the turn has ended, unless told. */
    accept: z.optional(z.boolean()),
    /** Said while the model works, once its first edit is proposed. */
    steer: z.optional(words),
    /** Stop is pressed as soon as so many edits are proposed, whatever the reply still holds; then this is said. */
    interrupt: z.optional(z.strictObject({ atEdit: positive, say: words })),
  }),
  z.strictObject({ compact: z.literal(true) }),
]);
export type Step = Readonly<z.infer<typeof Step>>;

const Task = z.strictObject({
  about: words,
  folder: z.union([
    /** Of test/live/own. */
    z.strictObject({ own: below }),
    z.strictObject({
      repository: words.check(z.regex(/^[\w.-]+\/[\w.-]+$/)),
      commit: words,
      /** Only this folder of it is laid out. */
      only: z.optional(below),
      /** npm packages that its commands need. */
      packages: z.optional(z.array(words)),
      /** Texts that are replaced before it begins. */
      edits: z.optional(z.array(z.strictObject({ path: below, find: words, replace: z.string() }))),
      without: z.optional(z.array(below)),
      /** It becomes a repository of one commit: neither the edits nor what came of it later can be looked up. */
      history: z.optional(z.literal(false)),
    }),
  ]),
  model: z.optional(words),
  /** How many tokens the model is said to take. */
  window: z.optional(positive),
  /** As an action of the editor asks: a task of its own. */
  kind: z.optional(z.enum(["chat", "task"])),
  /** Of the simulator: what the service takes. */
  profile: z.optional(z.custom<AskedProfile>((name) => typeof name === "string" && isProfile(name))),
  steps: z.array(Step).check(z.minLength(1)),
  checks: z.optional(z.array(z.strictObject({ name: words, command: words }))),
  /** The person has let the model run commands in this folder: on its copy, in the sandbox. */
  commands: z.optional(z.literal(true)),
  /** What the editor would show as wrong. */
  problems: z.optional(z.array(z.strictObject({ path: below, line: positive, message: words }))),
  /** What nobody sees who plays. */
  hidden: z.optional(
    z.strictObject({
      /** Where they are put, and where they lie in test/live. */
      files: z.optional(z.record(below, below)),
      /** Or as a later commit of the repository has them. */
      ofCommit: z.optional(z.strictObject({ commit: words, paths: z.array(below) })),
      /** Each ends with 0 where the task is solved. */
      commands: z.array(words),
      /** What an answer in words has to say: a fact, and an expression that finds it in any letters, also over lines. */
      answer: z.optional(z.array(z.strictObject({ fact: words, says: expression }))),
    }),
  ),
});
export type Task = Readonly<z.infer<typeof Task>>;

const folder = "test/live/tasks";

export const taskNames = (): readonly string[] =>
  readdirSync(folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);

/** @throws with what is wrong about the file. */
export function readTask(name: string): Task {
  const file = `${folder}/${name}.json`;
  if (!existsSync(file)) throw new Error(`There is no task ${name}: ${taskNames().join(", ")}.`);
  const read = z.safeParse(Task, JSON.parse(readFileSync(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}

/** The name of the folder that the product is opened on. */
export const folderName = ({ folder: where }: Task): string =>
  ("own" in where ? where.own : where.repository).split("/").at(-1) ?? "";
