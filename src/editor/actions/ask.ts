// Asks a question for an action of the editor: lists what would be sent and waits for consent, chooses a suitable
// model, asks in a new session, and reports a failure where the user is.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { ProblemAction } from "../../conversation/problem.ts";
import type { Attachment, AttachmentView, Turn } from "../../conversation/state.ts";
import type { Session } from "../../session/session.ts";
import { createMutex } from "../../util/concurrency.ts";
import type { ReadTerminal } from "../attach/terminal-text.ts";
import { localize } from "../localize.ts";
import { contextKeys } from "../manifest.ts";
import { showError, showInformation } from "../notify.ts";
import type { ActionSettings } from "../settings/settings.ts";
import type { ReadOnlyDocuments } from "../ui/documents.ts";
import { askToSend, problemInWords } from "../ui/show-problem.ts";

export interface Companion {
  readonly attachment: Attachment;
  /** Its role for the question: the code itself, or its surroundings. */
  readonly role: string;
}

interface Row extends vscode.QuickPickItem {
  readonly attachment: Attachment;
}

const secondsToLook = 10;

/**
 * Lists what would be sent with a question, with the role and size of each item and what is left out of it, before
 * anything is sent (threats A13). All items are preselected: Enter sends, a click deselects. Resolves with `undefined`
 * if the user cancelled.
 */
export async function chooseCompanions(
  title: string,
  companions: readonly Companion[],
  session: Pick<Session, "read">,
): Promise<readonly Attachment[] | undefined> {
  const t = vscode.l10n.t;
  const views = await lookAt(companions, session);
  const rows = companions.map(({ attachment, role }, at) => rowOf(attachment, role, views[at]));
  const chosen = await pick(title, rows, t("Context to send – press Enter to continue"));
  return chosen?.map(({ attachment }) => attachment);
}

/** The same in one line, for an input box that the user has to fill in anyway. */
export async function describeCompanions(
  companions: readonly Companion[],
  session: Pick<Session, "read">,
): Promise<string> {
  const views = await lookAt(companions, session);
  const labels = views.map(({ label, bytes, notes }) =>
    bytes === 0 && notes !== undefined ? vscode.l10n.t("{0} (not sent)", label) : label,
  );
  return vscode.l10n.t("Context: {0}", labels.join("; "));
}

async function lookAt(
  companions: readonly Companion[],
  { read }: Pick<Session, "read">,
): Promise<readonly AttachmentView[]> {
  const signal = AbortSignal.timeout(secondsToLook * 1000);
  const looked = await Promise.all(companions.map(({ attachment }) => read(attachment, signal)));
  return looked.map(({ view }) => view);
}

function rowOf(attachment: Attachment, role: string, view: AttachmentView | undefined): Row {
  const { label = "", bytes = 0, notes } = view ?? {};
  return {
    attachment,
    label,
    description: `${role} · ${sizeOf(bytes)}`,
    ...(notes !== undefined && { detail: notes.map(localize).join(" ") }),
    // A refused file is sent as a sentence saying so; deselect it by default.
    picked: bytes > 0,
  };
}

function sizeOf(bytes: number): string {
  const t = vscode.l10n.t;
  if (bytes === 0) return t("not sent");
  return bytes < 1024 ? t("{0} bytes", bytes) : t("{0} KB", Math.ceil(bytes / 1024));
}

function pick(title: string, rows: readonly Row[], placeholder: string): Promise<readonly Row[] | undefined> {
  const t = vscode.l10n.t;
  const box = vscode.window.createQuickPick<Row>();
  const never = {
    iconPath: new vscode.ThemeIcon("bell-slash"),
    tooltip: t("Don't Show This List Again"),
  };
  Object.assign(box, { title, placeholder, items: rows, canSelectMany: true, buttons: [never] });
  box.selectedItems = rows.filter(({ picked }) => picked === true);
  return new Promise((resolve, reject) => {
    let chosen: readonly Row[] | undefined;
    let kept: Thenable<void> | undefined;
    box.onDidAccept(() => {
      chosen = box.selectedItems;
      box.hide();
    });
    box.onDidTriggerButton(() => {
      kept = vscode.workspace
        .getConfiguration("patchbay")
        .update("actions.listContext", false, vscode.ConfigurationTarget.Global);
      chosen = box.selectedItems;
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      Promise.resolve(kept).then(() => resolve(chosen), reject);
    });
    box.show();
  });
}

export type ActingSession = Pick<Session, "send" | "read" | "commands" | "choices">;

/** A task is not visible, so its questions are shown in a notification. */
export type TaskSession = ActingSession &
  Pick<Session, "id" | "isTask" | "continueInChat" | "onChange" | "question" | "answer">;

export interface AskDeps {
  /** The session in use. */
  session(): TaskSession;
  /** Opens a new conversation or task for a question; what is open stays as it is. */
  begin(kind: "conversation" | "task"): Promise<void>;
  /** Opens a task whose response is shown elsewhere than in the chat. */
  quietTask(tools: readonly string[]): { readonly session: TaskSession; release(): unknown };
  /** Adds a task to the list and brings it into view. */
  continueInChat(session: TaskSession): Promise<void>;
  /** Brings the chat into view without moving the focus. */
  showChat(): Promise<void>;
  settings(): ActionSettings;
  /** Says once that the context is sent immediately. */
  readonly noteContext: NoteContext;
  /** Reports that a request of the user failed. */
  report(error: unknown): void;
  /** Where texts that the user is asked about can be read. */
  readonly documents?: ReadOnlyDocuments;
  /** Handles the button of a problem. */
  act(action: ProblemAction): void;
  /** For tests: in VS Code only a person can answer. */
  readonly choose?: typeof chooseCompanions;
  readonly tell?: (sentence: string, button: string) => Thenable<string | undefined>;
}

export interface Action {
  /** Shown above the list of the context and in failure messages. */
  readonly title: string;
  /** The prompt command; absent: only the prompt is sent. */
  readonly command?: string;
  readonly prompt: string;
  readonly companions: readonly Companion[];
  /** Whether the context is listed first. Absent: as the settings say; `seen`: the user has seen what is sent. */
  readonly list?: "always" | "seen";
  /** The response is shown elsewhere and the chat stays as it is. */
  readonly quiet?: true;
  /** With `quiet`: which of our tools the task may use; absent: none. */
  readonly tools?: readonly string[];
  /** The session ends with its response, as edits do. Absent: decided by the command. */
  readonly isTask?: true;
  /** Cancels this question only, not one that is already running. */
  readonly signal?: AbortSignal;
}

/** Resolves with the turn once it has ended, or with `undefined` if the user cancelled. */
export type Ask = (action: Action) => Promise<Turn | undefined>;

export function createAsk(deps: AskDeps): Ask {
  const { showChat, settings, choose = chooseCompanions } = deps;
  const one = createMutex();
  return async ({ title, command, prompt, companions, list, quiet, tools = [], isTask, signal }) => {
    requireTrust();
    const lists = list === "always" || (list !== "seen" && settings().listsContext);
    const attachments =
      lists && companions.length > 0
        ? await choose(title, companions, deps.session())
        : companions.map(({ attachment }) => attachment);
    if (attachments === undefined) return undefined;
    if (list === undefined && !lists && companions.length > 0) void deps.noteContext();
    const isEdit = isEditing(command, deps.session());
    const task = quiet === true ? deps.quietTask(tools) : undefined;
    const asking = task && answerInNotification(title, task.session, deps.documents);
    const { outputTokens } = settings();
    // Several actions may start at the same time: each must ask in the session it has begun.
    const { session, asked } = await one(async () => {
      if (task === undefined) await deps.begin(isEdit || isTask === true ? "task" : "conversation");
      const begun = task?.session ?? deps.session();
      if (isEdit) chooseEditor(begun.choices, settings().editModel);
      if (quiet !== true) await showChat();
      return { session: begun, asked: begun.send({ prompt, command, attachments, outputTokens, signal }) };
    });
    // Keep the task until its failure notice is closed: the user may continue in it from there.
    let notice: Promise<void> | undefined;
    try {
      const turn = await asked;
      markActionDone(turn);
      notice = turn && tellFailure(title, turn, session, deps).catch(deps.report);
      return turn;
    } finally {
      asking?.dispose();
      if (task !== undefined) void Promise.resolve(notice).finally(() => task.release());
    }
  };
}

/** Shows the questions of a session that is not visible. */
export function answerInNotification(
  title: string,
  session: TaskSession,
  documents?: ReadOnlyDocuments,
): vscode.Disposable {
  const asked = new Set<unknown>();
  const listening = session.onChange(() => {
    const { question } = session;
    if (question === undefined || asked.has(question)) return;
    asked.add(question);
    // The notification may outlive its question: do not apply its answer to a later one.
    void askToSend(title, question, documents).then((answer) => {
      if (session.question === question) session.answer(answer);
    });
  });
  return vscode.Disposable.from(listening);
}

/** Completes the walkthrough's step once an action on code has finished. */
export function markActionDone(turn: Turn | undefined): void {
  if (turn?.status === "done")
    void vscode.commands.executeCommand("setContext", contextKeys.startActed, true);
}

export function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new HumanError(
      vscode.l10n.t("In Restricted Mode, only context you add is sent. Trust this folder first."),
    );
}

/** Whether the command changes files. */
const isEditing = (command: string | undefined, { commands }: ActingSession): boolean =>
  commands.some(({ name, mode }) => name === command && mode === "edit");

/** Edits may use a model of their own (setting); every model can propose edits. */
export function chooseEditor(choices: Session["choices"], wanted: string): void {
  if (wanted !== choices.model && choices.models.some(({ id }) => id === wanted)) choices.chooseModel(wanted);
}

/** The chat may be out of sight, so a failure is reported in the editor, with the one action that helps most. */
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

/** A label that reads the same in every language: `src/a.ts:3–9`. */
export function attachmentPlace(attachment: Attachment | undefined): string {
  if (attachment?.kind !== "selection") return attachmentLabel(attachment);
  const { path, start, end } = attachment;
  return start === end ? `${path}:${start}` : `${path}:${start}–${end}`;
}

/** A label in words: `src/a.ts, lines 3–9`. */
export function attachmentLabel(attachment: Attachment | undefined): string {
  if (attachment?.kind !== "selection")
    return attachment !== undefined && "name" in attachment ? attachment.name : "";
  const { path, start, end } = attachment;
  return start === end
    ? vscode.l10n.t("{0}, line {1}", path, start)
    : vscode.l10n.t("{0}, lines {1}–{2}", path, start, end);
}

/** Never rejects: the action continues without it. */
export type NoteContext = () => Promise<void>;

const seen = "patchbay.contextNoted";

/**
 * Tells the user once, at the first action of an editor, that its context is sent immediately and which setting lists
 * it first.
 */
export function createContextNote(
  memory: Pick<vscode.Memento, "get" | "update">,
  report: (error: unknown) => void,
  tell: (sentence: string, button: string) => Thenable<string | undefined> = showInformation,
): NoteContext {
  async function note(): Promise<void> {
    if (memory.get(seen) === true) return;
    await memory.update(seen, true);
    const t = vscode.l10n.t;
    const open = t("Open Setting");
    const sentence = t(
      "Editor actions send the code and its context right away. A setting shows you the list first.",
    );
    if ((await tell(sentence, open)) === open)
      await vscode.commands.executeCommand("workbench.action.openSettings", "patchbay.actions.listContext");
  }
  return () => note().catch(report);
}

/**
 * Explains the selection of the terminal. Without a selection everything is attached, which the user has not chosen, so
 * it is always listed first, whatever the settings say.
 */
export function createExplainTerminal(ask: Ask, readTerminal: ReadTerminal) {
  const t = vscode.l10n.t;
  return async (): Promise<void> => {
    requireTrust();
    const { attachment, isSelected } = await readTerminal();
    const title = t("Explain Terminal Selection");
    const companions = [
      { role: t("text of the terminal"), attachment: { ...attachment, role: "to-explain" } },
    ];
    await ask({ title, command: "terminal", prompt: "", companions, ...(!isSelected && { list: "always" }) });
  };
}
