// What every action of the editor does with its question: lists what would go along and waits for a yes, takes a model
// that can do it, asks in the open conversation, and says where the person is when it went wrong.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import type { ProblemAction } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Session } from "../../core/session/session.ts";
import { inOrder } from "../../core/util/in-order.ts";
import { contextKeys } from "../manifest.ts";
import { showError } from "../notify.ts";
import type { ActionSettings } from "../settings.ts";
import { askToSend, problemInWords } from "../show-problem.ts";
import type { NoteContext } from "./context-note.ts";
import { type Companion, chooseCompanions } from "./list-context.ts";

export type ActingSession = Pick<Session, "send" | "read" | "commands" | "choices">;

/** Nobody sees it: what it asks is asked in a notification. */
export type TaskSession = ActingSession &
  Pick<Session, "id" | "isTask" | "continueInChat" | "onChange" | "question" | "answer">;

export interface AskDeps {
  /** The one that is in use. */
  session(): TaskSession;
  /** A conversation, or a task, of its own for a question: whatever is open stays as it is. */
  begin(kind: "conversation" | "task"): Promise<void>;
  /** For what is answered elsewhere than in the chat. */
  quietTask(): { readonly session: TaskSession; release(): unknown };
  /** Puts a task into the list and brings it into sight. */
  continueInChat(session: TaskSession): Promise<void>;
  /** Brings the chat into sight; the focus stays where it is. */
  showChat(): Promise<void>;
  settings(): ActionSettings;
  /** The first time: that the context goes at once. */
  readonly noteContext: NoteContext;
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
  /** What the button of a problem does. */
  act(action: ProblemAction): void;
  /** For tests: VS Code lets nobody but a person answer. */
  readonly choose?: typeof chooseCompanions;
  readonly tell?: (sentence: string, button: string) => Thenable<string | undefined>;
}

export interface Action {
  /** What it is called in the list, and where it is said that it failed. */
  readonly title: string;
  /** The way to ask; absent: the words alone. */
  readonly command?: string;
  readonly prompt: string;
  readonly companions: readonly Companion[];
  /** Absent: as the settings say; `seen`: the person has seen the context that is sent. */
  readonly list?: "always" | "seen";
  /** The response is shown elsewhere; the chat stays as it is. */
  readonly quiet?: true;
  /** It is over with its answer, as edits are. Absent: as the way to ask says. */
  readonly isTask?: true;
  /** Takes back this question, and none that runs before it. */
  readonly signal?: AbortSignal;
}

/** Resolves with the turn once it has ended; without one when the person thought better of it. */
export type Ask = (action: Action) => Promise<Turn | undefined>;

export function createAsk(deps: AskDeps): Ask {
  const { showChat, settings, choose = chooseCompanions } = deps;
  const one = inOrder();
  return async ({ title, command, prompt, companions, list, quiet, isTask, signal }) => {
    refuseWithoutTrust();
    const lists = list === "always" || (list !== "seen" && settings().listsContext);
    const attachments =
      lists && companions.length > 0
        ? await choose(title, companions, deps.session())
        : companions.map(({ attachment }) => attachment);
    if (attachments === undefined) return undefined;
    if (list === undefined && !lists && companions.length > 0) void deps.noteContext();
    const isEdit = isEditing(command, deps.session());
    const task = quiet === true ? deps.quietTask() : undefined;
    const asking = task && answerInNotification(title, task.session);
    const { outputTokens } = settings();
    // Of several at the same time each begins its own conversation and asks in that.
    const { session, asked } = await one(async () => {
      if (task === undefined) await deps.begin(isEdit || isTask === true ? "task" : "conversation");
      const begun = task?.session ?? deps.session();
      if (isEdit) chooseEditor(begun.choices, settings().editModel);
      if (quiet !== true) await showChat();
      return { session: begun, asked: begun.send({ prompt, command, attachments, outputTokens, signal }) };
    });
    // Until what went wrong was read, somebody may go on with it.
    let notice: Promise<void> | undefined;
    try {
      const turn = await asked;
      noteActed(turn);
      notice = turn && tellFailure(title, turn, session, deps).catch(deps.report);
      return turn;
    } finally {
      asking?.dispose();
      if (task !== undefined) void Promise.resolve(notice).finally(() => task.release());
    }
  };
}

/** Nobody sees the question where it was asked. */
export function answerInNotification(title: string, session: TaskSession): vscode.Disposable {
  const asked = new Set<unknown>();
  const listening = session.onChange(() => {
    const { question } = session;
    if (question === undefined || asked.has(question)) return;
    asked.add(question);
    // The notification may outlive its question: what is asked by then was not what was read.
    void askToSend(title, question).then((answer) => {
      if (session.question === question) session.answer(answer);
    });
  });
  return vscode.Disposable.from(listening);
}

/** The walkthrough's step is done once an action on code has come to its end. */
export function noteActed(turn: Turn | undefined): void {
  if (turn?.status === "done")
    void vscode.commands.executeCommand("setContext", contextKeys.startActed, true);
}

export function refuseWithoutTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new HumanError(
      vscode.l10n.t("In Restricted Mode, only context you add is sent. Trust this folder first."),
    );
}

/** It changes files. */
const isEditing = (command: string | undefined, { commands }: ActingSession): boolean =>
  commands.some(({ name, mode }) => name === command && mode === "edit");

/** What changes files may have a model of its own; every model can propose edits. */
export function chooseEditor(choices: Session["choices"], wanted: string): void {
  if (wanted !== choices.model && choices.models.some(({ id }) => id === wanted)) choices.chooseModel(wanted);
}

/** The chat may be out of sight: who asked in an editor hears it there, with the one thing that helps. */
async function tellFailure(
  title: string,
  { status, problem }: Turn,
  session: TaskSession,
  deps: AskDeps,
): Promise<void> {
  if (status !== "failed" && status !== "interrupted" && status !== "incomplete") return;
  const t = vscode.l10n.t;
  const sentence = problem === undefined ? t("The response is incomplete.") : problemInWords(problem);
  const { tell = showError } = deps;
  const [label, help] =
    remedy(problem?.actions ?? [], deps.act) ??
    (session.isTask
      ? [t("Continue in Chat"), () => deps.continueInChat(session)]
      : [t("Show Chat"), deps.showChat]);
  if ((await tell(`${title}: ${sentence}`, label)) === label) await help();
}

function remedy(
  actions: readonly ProblemAction[],
  act: AskDeps["act"],
): readonly [string, () => void | Promise<void>] | undefined {
  const t = vscode.l10n.t;
  if (actions.includes("set-base-url")) return [t("Set Service URL…"), () => act("set-base-url")];
  if (actions.includes("set-key")) return [t("Set API Key…"), () => act("set-key")];
  return undefined;
}

/** Attachments that are one thing, in words: `src/a.ts, lines 3–9`. */
export function labelOf(attachment: Attachment | undefined): string {
  if (attachment?.kind !== "selection")
    return attachment !== undefined && "name" in attachment ? attachment.name : "";
  const { path, start, end } = attachment;
  return start === end
    ? vscode.l10n.t("{0}, line {1}", path, start)
    : vscode.l10n.t("{0}, lines {1}–{2}", path, start, end);
}
