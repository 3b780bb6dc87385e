// Edit Here, Fix and similar actions: asked and answered in a comment thread at the lines they are about, in a task of
// their own. Proposals are pending in the file, below the lines that would change; the chat, the layout and the focus
// stay as they are.
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import type { Turn } from "../../../conversation/state.ts";
import type { Session } from "../../../session/session.ts";
import { commands } from "../../manifest.ts";
import {
  type AskedFrom,
  comment,
  followResponse,
  modelMarkdown,
  responseText,
  type TaskInReview,
} from "../../ui/response-comment.ts";
import { problemInWords } from "../../ui/show-problem.ts";
import { type AskDeps, answerInNotification, type Companion, chooseEditor, markActionDone } from "../ask.ts";
import { type EditBox, type EditBoxes, lastLine, openThread, untilShown } from "../edit-box.ts";
import type { CodePlace } from "../edit-commands.ts";

/** A task that is kept until it is released. */
interface HeldTask {
  readonly session: Session;
  release(): unknown;
}

export interface EditHereDeps extends Pick<AskDeps, "settings" | "continueInChat" | "report" | "documents"> {
  readonly boxes: EditBoxes;
  task(): HeldTask;
  /** Shows its proposals together with the other pending changes. */
  review(session: Session): TaskInReview;
  /** The session of a thread below a pending change. */
  sessionAt(thread: unknown): Session | undefined;
  /** Collapses or expands the comments that preceded such a change. */
  fold(thread: unknown, isFolded: boolean): void;
  /** Approximate number of tokens of these attachments. */
  weigh(companions: readonly Companion[]): Promise<number>;
}

interface Wanted {
  readonly title: string;
  /** The prompt command. */
  readonly command: string;
  /** Absent: the user is asked for them. */
  readonly words?: string;
  companions(): Promise<readonly Companion[] | undefined>;
}

interface Here {
  thread: vscode.CommentThread;
  readonly wanted: Wanted;
  readonly companions: Promise<readonly Companion[] | undefined>;
  /** The finished comments, without the one being streamed. */
  talk: readonly vscode.Comment[];
  /** The last question, for Retry, and where the user was when they asked it. */
  words: string;
  from?: AskedFrom | undefined;
  /** A preview of a proposal for other files. */
  proposed?: vscode.Comment | undefined;
  task?: HeldTask;
  review?: TaskInReview;
  letGo?: () => void;
}

export type EditHere = ReturnType<typeof createEditHere>;

export function createEditHere(deps: EditHereDeps) {
  const t = vscode.l10n.t;
  const { boxes, settings, report } = deps;
  const { threads } = boxes;
  const open = new Map<vscode.CommentThread, Here>();
  const hereOf = (argument: unknown) => open.get(argument as vscode.CommentThread);
  const sessionOf = (argument: unknown) => hereOf(argument)?.task?.session ?? deps.sessionAt(argument);

  /** `box`: it may have been opened before this file was loaded. */
  async function begin(place: CodePlace, wanted: Wanted, box?: EditBox): Promise<void> {
    if (wanted.words !== undefined)
      return run(enter(openThread(threads, place, wanted.title), wanted), wanted.words);
    const asking = box ?? boxes.open(place);
    const here = enter(asking.thread, wanted);
    void asking.words.then((words) => (words === undefined ? end(here) : take(here, lastLine(place), words)));
  }

  function enter(thread: vscode.CommentThread, wanted: Wanted): Here {
    const here: Here = { thread, wanted, companions: wanted.companions(), talk: [], words: "" };
    open.set(thread, here);
    // A label that came before the box is shown would keep it back.
    Promise.all([here.companions, wait(untilShown)]).then(
      ([along]) => along && describe(here, along).catch(report),
      // `run` awaits them and reports the error.
      () => undefined,
    );
    return here;
  }

  function take(here: Here, line: number, words: string): void {
    renew(here, line);
    here.talk = [comment(t("You"), words)];
    run(here, words).catch(report);
  }

  function renew(here: Here, line: number): void {
    const { uri, label = here.wanted.title } = here.thread;
    open.delete(here.thread);
    here.thread.dispose();
    here.thread = threads.open(uri, line);
    here.thread.label = label;
    open.set(here.thread, here);
  }

  /** Names the context before any of it is sent. */
  async function describe(here: Here, companions: readonly Companion[]): Promise<void> {
    const tokens = await deps.weigh(companions);
    const roles = companions.map(({ role }) => role).join(", ");
    const label = here.thread.label ?? here.wanted.title;
    here.thread.label = `${label} · ${roles} · ${t("≈{0} tokens", tokens)}`;
  }

  async function run(here: Here, words: string): Promise<void> {
    const { wanted } = here;
    here.words = words;
    here.from = whereFrom(here.thread.uri);
    show(here, "running");
    const along = await here.companions.catch((error: unknown) => {
      end(here);
      throw error;
    });
    // If the thread was closed meanwhile, nothing is asked.
    if (along === undefined || !open.has(here.thread)) return end(here);
    here.task ??= hold(here);
    const { session } = here.task;
    chooseEditor(session.choices, settings().editModel);
    const following = followResponse(session, (answer) => show(here, "running", answer));
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
    markActionDone(turn);
    await ended(here, turn);
  }

  /** `undefined` if the user is not in an editor of this file. */
  function whereFrom(uri: vscode.Uri): AskedFrom | undefined {
    const { editor } = threads;
    if (editor?.viewColumn === undefined || editor.document.uri.toString() !== uri.toString())
      return undefined;
    const { document, selection, viewColumn } = editor;
    return {
      document,
      version: document.version,
      selection,
      viewColumn,
      terminal: vscode.window.activeTerminal,
    };
  }

  function hold(here: Here): HeldTask {
    const task = deps.task();
    here.review = deps.review(task.session);
    const asking = answerInNotification(here.wanted.title, task.session, deps.documents);
    const { changes } = task.session.patches;
    // Once its thread is gone and everything is decided, the task can be released.
    const listening = changes.onDidChange(() => {
      if (changes.pending.length > 0) return;
      if (!open.has(here.thread)) {
        if (!task.session.isRunning) letGo();
      } else if (isProposed(here.thread)) end(here);
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

  async function ended(here: Here, turn: Turn): Promise<void> {
    const { status, problem } = turn;
    const words = responseText(turn);
    const answer = words === "" ? [] : [comment("Patchbay", modelMarkdown(words))];
    const hasFailed = status === "failed" || status === "interrupted" || status === "incomplete";
    if (hasFailed) {
      const why = problem === undefined ? t("The response is incomplete.") : problemInWords(problem);
      here.talk = [...here.talk, ...answer, comment(t("Failed"), why)];
      show(here, "failed");
      return;
    }
    here.talk = [...here.talk, ...answer];
    const isWaiting = here.task?.session.waiting !== undefined;
    if (!isWaiting) return show(here, "said");
    if ((await here.review?.show(here.talk, here.from)) === true) return end(here);
    here.proposed = here.review?.lend(here.thread);
    show(here, here.proposed === undefined ? "proposed" : "folded");
  }

  function show(here: Here, context: keyof typeof contexts, answer?: vscode.Comment): void {
    const { thread, talk, proposed } = here;
    thread.contextValue = contexts[context];
    const first = proposed === undefined ? [] : [proposed];
    const said = context === "folded" ? [] : answer === undefined ? talk : [...talk, answer];
    thread.comments = [...first, ...said];
  }

  function fold(argument: unknown, isFolded: boolean): void {
    const here = hereOf(argument);
    if (here === undefined) deps.fold(argument, isFolded);
    else show(here, isFolded ? "folded" : "unfolded");
  }

  /** Proposals stay pending, in the file and in Pending Changes, until they are decided. */
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
      [commands.unfoldThread]: (argument: unknown) => fold(argument, false),
      [commands.foldThread]: (argument: unknown) => fold(argument, true),
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

/**
 * Context values used by the menus of the manifest. The button that expands the response is followed by one that
 * collapses it: a button that went away would let the others move, and a click would hit Reject.
 */
const contexts = {
  running: "here.running",
  failed: "here.failed",
  proposed: "here.proposed",
  folded: "here.proposed.folded",
  unfolded: "here.proposed.unfolded",
  said: "here.said",
} as const;

const isProposed = ({ contextValue }: vscode.CommentThread): boolean =>
  contextValue?.startsWith(contexts.proposed) === true;
