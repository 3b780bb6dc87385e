// Explain, Fix, Refactor and their like on what is selected, with the selection and just enough around it as attachments.
// What explains is answered in a conversation of its own, what edits between the lines it is about.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { pathInWorkspace } from "../attach/attach-uri.ts";
import { commands } from "../manifest.ts";
import type { ActionSettings } from "../settings.ts";
import { type ActingSession, type Ask, labelOf, refuseWithoutTrust } from "./ask.ts";
import { surroundingsOf, wholeBlocks } from "./code-surroundings.ts";
import type { NoteContext } from "./context-note.ts";
import type { EditHere } from "./edit-here.ts";
import { type Companion, chooseCompanions, describeCompanions } from "./list-context.ts";
import { problemsHere } from "./problems-here.ts";

const secondsToLook = 10;
const inCenter = vscode.TextEditorRevealType.InCenterIfOutsideViewport;

/** Where an action is meant: a light bulb can hang at another place than the cursor. */
export interface CodePlace {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The problem to fix, in the words of whoever found it. */
  readonly problem?: string;
}

export interface EditCommandDeps {
  readonly ask: Ask;
  readonly here: Pick<EditHere, "begin">;
  /** The editor a person is in. */
  editor(): vscode.TextEditor | undefined;
  settings(): ActionSettings;
  readonly noteContext: NoteContext;
  /** For tests: VS Code lets nobody but a person answer. */
  readonly choose?: typeof chooseCompanions;
  session(): ActingSession;
  /** Only a place that our own light bulb handed out is believed (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
}

export function createEditCommands(deps: EditCommandDeps) {
  const { ask, here, editor, session, settings, noteContext, placeOf, choose = chooseCompanions } = deps;
  const t = vscode.l10n.t;

  function where(argument: unknown): CodePlace {
    refuseWithoutTrust();
    const place = placeOf(argument);
    if (place !== undefined) return place;
    const inUse = editor();
    if (inUse === undefined) throw new HumanError(t("Open a file first."));
    return { document: inUse.document, range: inUse.selection };
  }

  /** Answered in the chat, in a conversation of its own. */
  const inChat = (title: string, command: string) => async (argument: unknown) => {
    const place = where(argument);
    const companions = await surroundingsOf(place, { problems: false });
    const prompt = wordsFor(place, undefined, labelOf(companions[0]?.attachment));
    await ask({ title, command, companions, prompt });
  };

  /** Answered between the lines it is about; where there are none of a file, in the chat. */
  const on = (title: string, command: string) => async (argument: unknown) => {
    const isFix = command === "fix";
    const place = isFix ? await withProblems(where(argument)) : where(argument);
    const companions = await surroundingsOf(place, { problems: isFix });
    const code = companions[0]?.attachment;
    const problem = (await isSent(place, code)) ? place.problem : undefined;
    const words = wordsFor(place, problem, labelOf(code));
    if (code?.kind !== "selection") await ask({ title, command, companions, prompt: words });
    else await here.begin(place, { title, command, words, companions: () => agreed(title, companions) });
  };

  /** Which problem is meant a light bulb or a finding has said; a command means those that the editor finds. */
  async function withProblems(place: CodePlace): Promise<CodePlace> {
    const found = place.problem === undefined ? problemsHere(place) : undefined;
    if (found === undefined) return place;
    if (found.range.isEqual(place.range)) return { ...place, ...found };
    const range = await wholeBlocks(place.document, found.range);
    // The response has to be visible, and the cursor may be far from it.
    editor()?.revealRange(new vscode.Range(range.end, range.end), inCenter);
    return { ...place, range, problem: found.problem };
  }

  /** As the settings say: the label names the context anyway. */
  async function agreed(title: string, companions: readonly Companion[]) {
    if (!settings().listsContext) {
      void noteContext();
      return companions;
    }
    const chosen = await choose(title, companions, session());
    return chosen && companions.filter(({ attachment }) => chosen.includes(attachment));
  }

  const editHere = async (argument: unknown) => {
    const place = where(argument);
    const { scheme } = place.document.uri;
    // VS Code shows nothing between the lines of a cell.
    const companions = () => surroundingsOf(place, { problems: false });
    if (scheme === "vscode-notebook-cell") await vscode.commands.executeCommand(commands.editCell);
    else if (pathInWorkspace(place.document.uri) !== undefined)
      await here.begin(place, { title: t("Edit"), command: "edit", companions });
    else await typed(t("Edit"), t("What should change?"), "edit")(argument);
  };

  /** What a tool says of code may quote it: of a file that is never sent its words stay here, too. */
  async function isSent({ problem }: CodePlace, code: Attachment | undefined): Promise<boolean> {
    if (problem === undefined || code === undefined) return true;
    const { isRefused } = await session().read(code, AbortSignal.timeout(secondsToLook * 1000));
    return isRefused !== true;
  }

  /** What will be sent is said in the box, before anything is. */
  const typed = (title: string, placeHolder: string, command?: string) => async (argument: unknown) => {
    const place = where(argument);
    const companions = await surroundingsOf(place, { problems: false });
    const prompt = await vscode.window.showInputBox({
      title,
      placeHolder,
      prompt: await describeCompanions(companions, session()),
    });
    if (prompt === undefined || prompt.trim() === "") return;
    await ask({ title, prompt, companions, list: "seen", ...(command !== undefined && { command }) });
  };

  return {
    [commands.explain]: inChat(t("Explain"), "explain"),
    [commands.fix]: on(t("Fix"), "fix"),
    [commands.refactor]: on(t("Refactor"), "refactor"),
    [commands.writeTests]: on(t("Write Tests"), "tests"),
    [commands.document]: on(t("Document"), "docs"),
    [commands.askAbout]: typed(t("Ask About Selection"), t("What's your question?")),
    [commands.editHere]: editHere,
  };
}

/** Which of what is attached it is about, and in which language; the rest only stands around it. */
function wordsFor({ document }: CodePlace, problem: string | undefined, about: string): string {
  const { languageId } = document;
  const place = languageId === "plaintext" ? about : `${about}, ${languageId}`;
  return problem === undefined ? place : `${problem} (${place})`;
}
