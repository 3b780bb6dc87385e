// Edit Here, Fix and their like: asked and answered between the lines they are about, in a task of their own. What comes of
// it waits in the file, below the lines that would change; the chat, the layout and the focus stay as they are.
import * as vscode from "vscode";
import type { Turn } from "../../core/conversation/state.ts";
import type { Session } from "../../core/session/session.ts";
import { commands } from "../manifest.ts";
import { problemInWords } from "../show-problem.ts";
import { comment, followAnswer, modelWords, type TaskInReview, textOf } from "../threads/thread-talk.ts";
import type { Threads } from "../threads/threads.ts";
import { type AskDeps, answerInNotification, chooseEditor, noteActed } from "./ask.ts";
import type { CodePlace } from "./edit-commands.ts";
import type { Companion } from "./list-context.ts";

/** A task that is kept as long as somebody needs it. */
export interface HeldTask {
  readonly session: Session;
  release(): unknown;
}

export interface EditHereDeps extends Pick<AskDeps, "settings" | "continueInChat" | "report"> {
  readonly threads: Threads;
  task(): HeldTask;
  /** What it proposes is shown with what else waits. */
  review(session: Session): TaskInReview;
  /** Of a thread below a change that waits. */
  sessionAt(thread: unknown): Session | undefined;
  /** About how many tokens these come to. */
  weigh(companions: readonly Companion[]): Promise<number>;
}

export interface Wanted {
  /** What it is called. */
  readonly title: string;
  /** The way to ask. */
  readonly command: string;
  /** Absent: a person is asked for them. */
  readonly words?: string;
  companions(): Promise<readonly Companion[] | undefined>;
}

interface Here {
  readonly thread: vscode.CommentThread;
  readonly wanted: Wanted;
  readonly companions: Promise<readonly Companion[] | undefined>;
  /** What was said so far, without what is being said. */
  talk: readonly vscode.Comment[];
  /** What was asked last, to be asked again. */
  words: string;
  task?: HeldTask;
  review?: TaskInReview;
  letGo?: () => void;
}

export type EditHere = ReturnType<typeof createEditHere>;

export function createEditHere(deps: EditHereDeps) {
  const t = vscode.l10n.t;
  const { threads, settings, report } = deps;
  const open = new Map<vscode.CommentThread, Here>();
  const hereOf = (argument: unknown) => open.get(argument as vscode.CommentThread);
  const sessionOf = (argument: unknown) => hereOf(argument)?.task?.session ?? deps.sessionAt(argument);

  async function begin({ document, range }: CodePlace, wanted: Wanted): Promise<void> {
    // A selection that ends at the beginning of a line does not mean that line.
    const isBefore = range.end.character === 0 && range.end.line > range.start.line;
    const last = range.end.line - (isBefore ? 1 : 0);
    const thread = threads.open(document.uri, last);
    const lines =
      range.start.line === last
        ? t("line {0}", last + 1)
        : t("lines {0}–{1}", range.start.line + 1, last + 1);
    thread.label = `${wanted.title}: ${lines}`;
    const here: Here = { thread, wanted, companions: wanted.companions(), talk: [], words: "" };
    open.set(thread, here);
    here.companions.then(
      (along) => along && describe(here, along).catch(report),
      // Whoever waits for them says so.
      () => undefined,
    );
    if (wanted.words !== undefined) return run(here, wanted.words);
    threads.ask(thread, {
      take: (words) => {
        here.talk = [comment(t("You"), words)];
        run(here, words).catch(report);
      },
      leave: () => end(here),
    });
  }

  /** The context is named before any of it is sent. */
  async function describe({ thread, wanted }: Here, companions: readonly Companion[]): Promise<void> {
    const tokens = await deps.weigh(companions);
    const roles = companions.map(({ role }) => role).join(", ");
    thread.label = `${thread.label ?? wanted.title} · ${roles} · ${t("≈{0} tokens", tokens)}`;
  }

  async function run(here: Here, words: string): Promise<void> {
    const { wanted } = here;
    here.words = words;
    show(here, "running");
    const along = await here.companions.catch((error: unknown) => {
      end(here);
      throw error;
    });
    // It may have been closed meanwhile: then nothing is asked any more.
    if (along === undefined || !open.has(here.thread)) return end(here);
    here.task ??= hold(here);
    const { session } = here.task;
    chooseEditor(session.choices, settings().editModel);
    const following = followAnswer(session, (answer) => show(here, "running", answer));
    let turn: Turn | undefined;
    try {
      turn = await session.send({
        prompt: words,
        command: wanted.command,
        attachments: along.map(({ attachment }) => attachment),
        outputTokens: settings().outputTokens,
      });
    } finally {
      following.dispose();
    }
    if (turn === undefined) return end(here);
    noteActed(turn);
    ended(here, turn);
  }

  function hold(here: Here): HeldTask {
    const task = deps.task();
    here.review = deps.review(task.session);
    const asking = answerInNotification(here.wanted.title, task.session);
    const { changes } = task.session.patches;
    // Once its thread is gone and all is decided nobody needs it any more.
    const listening = changes.onDidChange(() => {
      if (changes.pending.length > 0) return;
      if (!open.has(here.thread)) {
        if (!task.session.isRunning) letGo();
      } else if (here.thread.contextValue === contexts.proposed) end(here);
    });
    const letGo = () => {
      listening.dispose();
      asking.dispose();
      here.review?.dispose();
      void task.release();
    };
    here.letGo = () => {
      if (changes.pending.length === 0) letGo();
    };
    return task;
  }

  function ended(here: Here, turn: Turn): void {
    const { status, problem } = turn;
    const words = textOf(turn);
    const answer = words === "" ? [] : [comment("Patchbay", modelWords(words))];
    const hasFailed = status === "failed" || status === "interrupted" || status === "incomplete";
    if (hasFailed) {
      const why = problem === undefined ? t("The response is incomplete.") : problemInWords(problem);
      here.talk = [...here.talk, ...answer, comment(t("Failed"), why)];
      show(here, "failed");
      return;
    }
    here.talk = [...here.talk, ...answer];
    const isWaiting = here.task?.session.waiting !== undefined;
    if (isWaiting && here.review?.say(here.talk) === true) end(here);
    else show(here, isWaiting ? "proposed" : "said");
  }

  function show({ thread, talk }: Here, context: keyof typeof contexts, answer?: vscode.Comment): void {
    thread.contextValue = contexts[context];
    thread.comments = answer === undefined ? talk : [...talk, answer];
  }

  /** What was proposed waits on, in the file and in Pending Changes, until it is decided. */
  function end(here: Here): void {
    if (!open.delete(here.thread)) return;
    here.thread.dispose();
    here.letGo?.();
  }

  return {
    begin,
    commands: {
      [commands.sendFromThread]: () => threads.send(),
      [commands.closeThread]: async (argument: unknown) => {
        const here = hereOf(argument);
        if (here === undefined) return threads.cancel();
        here.task?.session.stop();
        end(here);
      },
      [commands.retryInThread]: async (argument: unknown) => {
        const here = hereOf(argument);
        if (here !== undefined) await run(here, here.words);
      },
      [commands.stopInThread](argument: unknown) {
        const here = hereOf(argument);
        if (here !== undefined && here.task === undefined) end(here);
        else sessionOf(argument)?.stop();
      },
      [commands.continueThread]: async (argument: unknown) => {
        const session = sessionOf(argument);
        if (session !== undefined) await deps.continueInChat(session);
        const here = hereOf(argument);
        if (here !== undefined) end(here);
      },
    },
    dispose() {
      for (const here of [...open.values()]) end(here);
    },
  };
}

/** As the manifest's menus know them. */
const contexts = {
  running: "here.running",
  failed: "here.failed",
  proposed: "here.proposed",
  said: "here.said",
} as const;
