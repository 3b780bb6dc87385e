// Explain, Fix, Refactor and similar commands on the selection, with its surroundings as attachments. Explanations are
// answered in a new conversation, edits between the lines they are about.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Attachment } from "../../conversation/state.ts";
import { pathInWorkspace } from "../attach/attach-uri.ts";
import { commands } from "../manifest.ts";
import type { ActionSettings } from "../settings/settings.ts";
import {
  type ActingSession,
  type Ask,
  attachmentPlace,
  type Companion,
  chooseCompanions,
  describeCompanions,
  type NoteContext,
  requireTrust,
} from "./ask.ts";
import { problemsHere } from "./code-actions.ts";
import { surroundingsOf, wholeBlocks } from "./code-surroundings.ts";
import type { EditBox } from "./edit-box.ts";
import type { EditHere } from "./internal/edit-here.ts";

const secondsToLook = 10;
const inCenter = vscode.TextEditorRevealType.InCenterIfOutsideViewport;

/** Where an action applies: a light bulb may be elsewhere than the cursor. */
export interface CodePlace {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The problem to fix, in the words of the tool that found it. */
  readonly problem?: string;
}

export interface EditCommandDeps {
  readonly ask: Ask;
  readonly here: Pick<EditHere, "begin">;
  /** The editor the user is in. */
  editor(): vscode.TextEditor | undefined;
  settings(): ActionSettings;
  readonly noteContext: NoteContext;
  /** For tests: in VS Code only a person can answer. */
  readonly choose?: typeof chooseCompanions;
  session(): ActingSession;
  /** Accepts only a place that our own light bulb handed out (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
  /** The box that was opened before all this was loaded. */
  firstBoxOf(argument: unknown): EditBox | undefined;
}

export function createEditCommands(deps: EditCommandDeps) {
  const { ask, here, editor, session, settings, noteContext, placeOf, firstBoxOf } = deps;
  const { choose = chooseCompanions } = deps;
  const t = vscode.l10n.t;

  function where(argument: unknown): CodePlace {
    requireTrust();
    const place = placeOf(argument);
    if (place !== undefined) return place;
    const inUse = editor();
    if (inUse === undefined) throw new HumanError(t("Open a file first."));
    return { document: inUse.document, range: inUse.selection };
  }

  /** Answered in the chat, in a new conversation. */
  const inChat = (title: string, command: string, role: string) => async (argument: unknown) => {
    const place = where(argument);
    const companions = await surroundingsOf(place, { role });
    const code = companions[0]?.attachment;
    const problem = (await isSent(place, code)) ? place.problem : undefined;
    const prompt = wordsFor(place, problem, attachmentPlace(code));
    await ask({ title, command, companions, prompt });
  };

  /** Answered between the lines it is about, or in the chat if they are not lines of a file. */
  const on = (title: string, command: string, role: string) => async (argument: unknown) => {
    const isFix = command === "fix";
    const place = isFix ? await withProblems(where(argument)) : where(argument);
    const companions = await surroundingsOf(place, { role, problems: isFix });
    const code = companions[0]?.attachment;
    const problem = (await isSent(place, code)) ? place.problem : undefined;
    const words = wordsFor(place, problem, attachmentPlace(code));
    if (code?.kind !== "selection") await ask({ title, command, companions, prompt: words });
    else await here.begin(place, { title, command, words, companions: () => agreed(title, companions) });
  };

  /** A light bulb or a finding passes its problem; for a command, those that the editor shows are added. */
  async function withProblems(place: CodePlace): Promise<CodePlace> {
    const found = place.problem === undefined ? problemsHere(place) : undefined;
    if (found === undefined) return place;
    if (found.range.isEqual(place.range)) return { ...place, ...found };
    const range = await wholeBlocks(place.document, found.range);
    // The response has to be visible, and the cursor may be far from it.
    editor()?.revealRange(new vscode.Range(range.end, range.end), inCenter);
    return { ...place, range, problem: found.problem };
  }

  /** Lists the context if the settings say so; the label names it anyway. */
  async function agreed(title: string, companions: readonly Companion[]) {
    if (!settings().listsContext) {
      void noteContext();
      return companions;
    }
    const chosen = await choose(title, companions, session());
    return chosen && companions.filter(({ attachment }) => chosen.includes(attachment));
  }

  const editHere = async (argument: unknown) => {
    const box = firstBoxOf(argument);
    const place = box?.place ?? where(argument);
    const { scheme } = place.document.uri;
    // VS Code shows no comment threads in notebook cells.
    const companions = () => surroundingsOf(place, { role: "to-edit" });
    if (scheme === "vscode-notebook-cell") await vscode.commands.executeCommand(commands.editCell);
    else if (box !== undefined || pathInWorkspace(place.document.uri) !== undefined)
      await here.begin(place, { title: t("Edit"), command: "edit", companions }, box);
    else await typed(t("Edit"), t("What should change?"), "edit")(argument);
  };

  /** A tool's message may quote code: if the file is never sent, neither is the message. */
  async function isSent({ problem }: CodePlace, code: Attachment | undefined): Promise<boolean> {
    if (problem === undefined || code === undefined) return true;
    const { isRefused } = await session().read(code, AbortSignal.timeout(secondsToLook * 1000));
    return isRefused !== true;
  }

  /** The input box says what will be sent before it is. */
  const typed = (title: string, placeHolder: string, command?: string) => async (argument: unknown) => {
    const place = where(argument);
    const companions = await surroundingsOf(place, {
      role: command === undefined ? "asked-about" : "to-edit",
    });
    const prompt = await vscode.window.showInputBox({
      title,
      placeHolder,
      prompt: await describeCompanions(companions, session()),
    });
    if (prompt === undefined || prompt.trim() === "") return;
    await ask({ title, prompt, companions, list: "seen", ...(command !== undefined && { command }) });
  };

  return {
    [commands.explain]: inChat(t("Explain"), "explain", "to-explain"),
    [commands.fix]: on(t("Fix"), "fix", "to-fix"),
    [commands.refactor]: on(t("Refactor"), "refactor", "to-refactor"),
    [commands.writeTests]: on(t("Write Tests"), "tests", "to-test"),
    [commands.document]: on(t("Document"), "docs", "to-document"),
    [commands.askAbout]: typed(t("Ask About Selection"), t("What's your question?")),
    [commands.editHere]: editHere,
  };
}

/**
 * Tells the model which attachment the question is about; the others are surroundings. The language is named only for
 * documents whose name does not tell it.
 */
function wordsFor({ document }: CodePlace, problem: string | undefined, about: string): string {
  const { languageId, isUntitled } = document;
  const place = isUntitled && languageId !== "plaintext" ? `${about}, ${languageId}` : about;
  return problem === undefined ? place : `${problem} (${place})`;
}
