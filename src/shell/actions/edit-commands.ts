// Explain, Fix, Refactor and their like on what is selected: each is a question of the open conversation, with the
// selection and just enough around it as attachments. The answer comes to the chat; an edit comes to the review.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { commands } from "../manifest.ts";
import { type ActingSession, type Ask, labelOf, refuseWithoutTrust } from "./ask.ts";
import { surroundingsOf } from "./code-surroundings.ts";
import { describeCompanions } from "./companions.ts";

const secondsToLook = 10;

/** Where an action is meant: a light bulb can hang at another place than the cursor. */
export interface CodePlace {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The problem to fix, in the words of whoever found it. */
  readonly problem?: string;
}

export interface EditCommandNeeds {
  readonly ask: Ask;
  session(): ActingSession;
  /** Only a place that our own light bulb handed out is believed (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
}

export function createEditCommands({ ask, session, placeOf }: EditCommandNeeds) {
  const t = vscode.l10n.t;

  function where(argument: unknown): CodePlace {
    refuseWithoutTrust();
    const place = placeOf(argument);
    if (place !== undefined) return place;
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined)
      throw new HumanError(t("Open a file first: this acts on the code in the editor."));
    return { document: editor.document, range: editor.selection };
  }

  const on = (title: string, command: string) => async (argument: unknown) => {
    const place = where(argument);
    const companions = await surroundingsOf(place, { problems: command === "fix" });
    const code = companions[0]?.attachment;
    const problem = (await isSent(place, code)) ? place.problem : undefined;
    await ask({ title, command, companions, prompt: wordsFor(place, problem, labelOf(code)) });
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
    [commands.explain]: on(t("Explain"), "explain"),
    [commands.fix]: on(t("Fix"), "fix"),
    [commands.refactor]: on(t("Refactor"), "refactor"),
    [commands.writeTests]: on(t("Write Tests"), "tests"),
    [commands.document]: on(t("Document"), "docs"),
    [commands.reviewCode]: on(t("Review"), "review"),
    [commands.askAbout]: typed(t("Ask About Selection"), t("What do you want to know?")),
    [commands.editSelection]: typed(t("Edit Selection"), t("What should be different?"), "edit"),
  };
}

/** Which of what is attached it is about, and in which language; the rest only stands around it. */
function wordsFor({ document }: CodePlace, problem: string | undefined, about: string): string {
  const { languageId } = document;
  const place = languageId === "plaintext" ? about : `${about}, ${languageId}`;
  return problem === undefined ? place : `${problem} (${place})`;
}
