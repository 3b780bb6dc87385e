// One task from its first step to its end: the product's own session on a real folder, against a relay. What a person would
// press is pressed here: tools and questions are agreed to, a turn that a limit has ended goes on, and what is proposed is
// accepted at its end.
import { surroundingParts } from "../../src/session/session-context.ts";
import { type Answer, type LiveOptions, type LiveSession, liveSession } from "../support/corpus.ts";
import type { Relay } from "./relay.ts";
import type { Step, Task } from "./task.ts";

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
  const { root, relay, onEvent, onStep } = options;
  const { model = "svc-k3", window, kind, checks, problems } = task;
  const own = { id: model, label: model, route: model === "svc-k3" ? "responses" : "chat" } as const;
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
    newId: countedIds(),
    ...(onEvent !== undefined && { onEvent }),
  });
  const steps: PlayedStep[] = [];
  try {
    for (const step of task.steps) {
      steps.push(await playStep(session, step));
      onStep?.({ steps });
    }
  } finally {
    await session.close();
  }
  return { steps };
}

/** The same in each run: what a reply names of them is there when it is played again. */
function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

async function playStep(session: LiveSession, step: Step): Promise<PlayedStep> {
  const before = session.state().turns.length;
  const asked: string[] = [];
  let continued = 0;
  let answer = await begin(session, step);
  for (;;) {
    if (answer.status === "waiting") {
      asked.push(answer.question ?? "a tool");
      answer = await session.accept();
    } else if (
      answer.status === "incomplete" &&
      answer.problem?.kind === "limit" &&
      continued < mostContinued
    ) {
      continued += 1;
      answer = await session.goOn();
    } else break;
  }
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
    checks: checks.map(({ name, state }) => `${name} ${state}`),
    text: own.map(({ text }) => text).join("\n\n"),
  };
}

function begin(session: LiveSession, step: Step): Promise<Answer> {
  if ("compact" in step) return session.compact();
  const { ask, attachments = [], command, outputTokens } = step;
  return session.send(ask, attachments, {
    ...(command !== undefined && { command }),
    ...(outputTokens !== undefined && { outputTokens }),
  });
}
