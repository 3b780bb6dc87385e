// One task from its first step to its end: the product's own session on a real folder, against a relay. What a person would
// press is pressed here: tools and questions are agreed to, a turn that a limit has ended goes on, and what is proposed is
// accepted at its end. Until then the folder must stay as it is, byte for byte.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { surroundingParts } from "../../src/session/session-context.ts";
import { type Answer, type LiveOptions, type LiveSession, liveSession } from "../support/corpus.ts";
import type { Relay } from "./relay.ts";
import type { Step, Task } from "./task.ts";

type Question = Exclude<Step, { compact: true }>;

export interface PlayedStep {
  readonly status: Answer["status"];
  /** What went wrong, in English. */
  readonly problem?: string;
  /** The rows of its turns: each tool and patch, with what became of it. */
  readonly rows: readonly string[];
  /** What a person was asked. */
  readonly asked: readonly string[];
  /** How often it went on after a limit. */
  readonly continued: number;
  /** The person has pressed Stop in it, and then said something. */
  readonly interrupted?: true;
  /** Files that were not as they had been, before anything was accepted. */
  readonly touched?: readonly string[];
  /** What the checks have said last. */
  readonly checks: readonly string[];
  readonly text: string;
}

export interface Played {
  readonly steps: readonly PlayedStep[];
}

export interface PlayOptions {
  /** The folder that is worked in. */
  readonly root: string;
  readonly relay: Pick<Relay, "url" | "key">;
  readonly onEvent?: LiveOptions["onEvent"];
  /** Where the model may run commands. */
  readonly sandbox?: LiveOptions["sandbox"];
  /** After each step. */
  onStep?(played: Played): void;
}

const mostContinued = 3;
/** Whoever plays may take its time. */
const patience = {
  connectSeconds: 60,
  firstByteSeconds: 86_400,
  unstreamedSeconds: 86_400,
  idleSeconds: 86_400,
};

export async function play(task: Task, options: PlayOptions): Promise<Played> {
  const { root, relay, onEvent, onStep, sandbox } = options;
  const { model = "svc-k3", window, kind, checks, problems } = task;
  const own = { id: model, label: model, route: model === "svc-k3" ? "responses" : "chat" } as const;
  let onEdit: () => void = () => {};
  const session = liveSession(root, {
    baseUrl: relay.url,
    key: relay.key,
    model,
    service: patience,
    settings: {
      // As they ship.
      surroundings: surroundingParts,
      ...(window !== undefined && { models: [{ ...own, contextWindow: window }] }),
    },
    ...(kind !== undefined && { kind }),
    ...(checks !== undefined && { checks }),
    ...(problems !== undefined && { problems }),
    ...(sandbox !== undefined && { sandbox }),
    newId: countedIds(),
    onEvent(event) {
      onEvent?.(event);
      if (isProposal(event)) onEdit();
    },
  });
  const steps: PlayedStep[] = [];
  try {
    for (const step of task.steps) {
      onEdit = "compact" in step ? () => {} : speaker(session, step);
      steps.push(await playStep(session, step, root));
      onStep?.({ steps });
    }
  } finally {
    await session.close();
  }
  return { steps };
}

/** What a person does as edits are proposed one after the other: they say something, or press Stop. */
function speaker(session: LiveSession, { steer, interrupt }: Question): () => void {
  let edits = 0;
  return () => {
    edits += 1;
    if (edits === 1 && steer !== undefined) session.steer(steer);
    if (edits === interrupt?.atEdit) session.stop();
  };
}

const isProposal = (event: unknown): boolean =>
  typeof event === "object" &&
  event !== null &&
  "type" in event &&
  event.type === "patch" &&
  "status" in event &&
  event.status === "proposed";

/** The same in each run: what a reply names of them is there when it is played again. */
function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

async function playStep(session: LiveSession, step: Step, root: string): Promise<PlayedStep> {
  const bytes = bytesOf(root);
  const before = session.state().turns.length;
  const asked: string[] = [];
  let continued = 0;
  let said = "compact" in step ? undefined : step.interrupt?.say;
  let answer = await begin(session, step);
  for (;;) {
    if (answer.status === "waiting") {
      asked.push(answer.question ?? "a tool");
      answer = await session.agree();
    } else if (
      answer.status === "incomplete" &&
      answer.problem?.kind === "limit" &&
      continued < mostContinued
    ) {
      continued += 1;
      answer = await session.goOn();
    } else if (answer.status === "stopped" && said !== undefined) {
      const words = said;
      said = undefined;
      answer = await session.send(words);
    } else break;
  }
  const touched = differences(bytes, bytesOf(root));
  // Of what is accepted nothing is left to be checked.
  const { checks } = session.state();
  if (!("compact" in step) && step.accept !== false) await session.accept();
  const { turns } = session.state();
  const own = turns.slice(before);
  return {
    status: answer.status,
    ...(answer.problem !== undefined && { problem: answer.problem.message }),
    rows: own.flatMap(({ rows }) => rows),
    asked,
    continued,
    ...(!("compact" in step) && step.interrupt !== undefined && said === undefined && { interrupted: true }),
    ...(touched.length > 0 && { touched }),
    checks: checks.map(({ name, state }) => `${name} ${state}`),
    text: own.map(({ text }) => text).join("\n\n"),
  };
}

/** Each file of the folder with what is in it, links with where they lead. */
function bytesOf(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) return [[path, readlinkSync(path)]];
      return entry.isFile() ? [[path, createHash("sha256").update(readFileSync(path)).digest("hex")]] : [];
    }),
  );
}

const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

function begin(session: LiveSession, step: Step): Promise<Answer> {
  if ("compact" in step) return session.compact();
  const { ask, attachments = [], command, outputTokens } = step;
  return session.send(ask, attachments, {
    ...(command !== undefined && { command }),
    ...(outputTokens !== undefined && { outputTokens }),
  });
}
