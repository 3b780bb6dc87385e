// Explain, Fix, Refactor and their like on what is selected: each is a question of the open conversation, with the
// selection and just enough around it as attachments, which are listed in the turn like any others. The answer comes
// to the chat; an edit comes to the review.
import * as vscode from "vscode";
import type { Assistant } from "../core/assistant.ts";
import type { Attachment } from "../core/conversation/attachment.ts";
import { builtInModels } from "../core/conversation/models.ts";
import { HumanError } from "../core/util/human-error.ts";
import { surroundingsOf } from "./code-surroundings.ts";
import { commands } from "./manifest.ts";

/** Where an action is meant: a light bulb can hang at another place than the cursor. */
export interface CodePlace {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  /** The problem to fix, in the words of whoever found it. */
  readonly problem?: string;
}

export interface EditCommandNeeds {
  readonly assistant: Pick<Assistant, "send" | "model" | "chooseModel">;
  /** Brings the chat into sight; the focus stays where it is. */
  showChat(): Promise<void>;
  /** Only a place that our own light bulb handed out is believed (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
}

/** These change files, which only some models can. */
const editing = new Set(["fix", "refactor", "tests", "docs", "edit"]);

export function createEditCommands({ assistant, showChat, placeOf }: EditCommandNeeds) {
  const t = vscode.l10n.t;

  function where(argument: unknown): CodePlace {
    if (!vscode.workspace.isTrusted)
      throw new HumanError(t("In Restricted Mode nothing of this folder is sent. Trust the folder first."));
    const place = placeOf(argument);
    if (place !== undefined) return place;
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined)
      throw new HumanError(t("Open a file first: this acts on the code in the editor."));
    return { document: editor.document, range: editor.selection };
  }

  async function ask(attachments: readonly Attachment[], prompt: string, command?: string): Promise<void> {
    if (command !== undefined && editing.has(command)) chooseEditor(assistant);
    await showChat();
    await assistant.send({ prompt, attachments, ...(command !== undefined && { command }) });
  }

  const on = (command: string) => async (argument: unknown) => {
    const place = where(argument);
    const attachments = await surroundingsOf(place, { problems: command === "fix" });
    // Which of what is attached it is about; the rest only stands around it.
    const about = labelOf(attachments[0]);
    await ask(attachments, place.problem === undefined ? about : `${place.problem} (${about})`, command);
  };

  /** What will be sent is said in the box, before anything is. */
  const typed = (title: string, placeHolder: string, command?: string) => async (argument: unknown) => {
    const place = where(argument);
    const attachments = await surroundingsOf(place, { problems: false });
    const prompt = await vscode.window.showInputBox({
      title,
      placeHolder,
      prompt: t("Sent along: {0}", attachments.map(labelOf).join("; ")),
    });
    if (prompt === undefined || prompt.trim() === "") return;
    await ask(attachments, prompt, command);
  };

  return {
    [commands.explain]: on("explain"),
    [commands.fix]: on("fix"),
    [commands.refactor]: on("refactor"),
    [commands.writeTests]: on("tests"),
    [commands.document]: on("docs"),
    [commands.reviewCode]: on("review"),
    [commands.askAbout]: typed(t("Ask About Selection"), t("What do you want to know?")),
    [commands.editSelection]: typed(t("Edit Selection"), t("What should be different?"), "edit"),
  };
}

/** A model that only chats cannot propose edits. */
function chooseEditor({ model, chooseModel }: Pick<Assistant, "model" | "chooseModel">): void {
  const isEditor = builtInModels.find(({ id }) => id === model)?.route === "responses";
  const editor = builtInModels.find(({ route }) => route === "responses");
  if (isEditor || editor === undefined) return;
  chooseModel(editor.id);
  void vscode.window.showInformationMessage(
    vscode.l10n.t("{0} answers this: the model you chose cannot edit files.", editor.label),
  );
}

function labelOf(attachment: Attachment | undefined): string {
  if (attachment?.kind !== "selection")
    return attachment !== undefined && "name" in attachment ? attachment.name : "";
  const { path, start, end } = attachment;
  return start === end
    ? vscode.l10n.t("{0}, line {1}", path, start)
    : vscode.l10n.t("{0}, lines {1}–{2}", path, start, end);
}
