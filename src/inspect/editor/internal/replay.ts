// Sends a turn again with changes: either the whole request once, without affecting the conversation, or another
// question as a branch. The changed text is an ordinary untitled document; the result is shown next to the original.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { HumanError } from "../../../conversation/messages.ts";
import { answerMarkdown } from "../../../conversation/reduce.ts";
import { commands, contextKeys } from "../../../editor/manifest.ts";
import { newDocument } from "../../../editor/ui/documents.ts";
import { showProblem, withProgress } from "../../../editor/ui/show-problem.ts";
import type { Reply } from "../../../service/reply.ts";
import type { Composable } from "../../../service/request.ts";
import {
  answerOf,
  type EditedSettings,
  type HiddenContents,
  hideEncrypted,
  readEdited,
  restoreEncrypted,
} from "../../internal/edit-and-compare.ts";
import { firstRequestOf, type InspectDeps, turnOf } from "./inspect-commands.ts";

interface ReplayDeps extends Omit<InspectDeps, "about"> {
  editedSettings(): EditedSettings;
  /** Sends one request outside of any conversation. */
  sendOnce(asked: Composable, signal: AbortSignal): Promise<Reply>;
  /** Shows that conversation and branches after this turn. */
  branch(conversation: string, turn: string): Promise<void>;
  showChat(): Thenable<unknown>;
}

interface Replay {
  readonly how: "once" | "branch";
  readonly conversation: string;
  readonly turn: string;
  readonly number: number;
  /** The original response, to be shown next to the new one. */
  readonly before: string;
  /** Parts that the document does not show but that are sent again. */
  readonly contents: HiddenContents["contents"];
}

export function createReplayCommands(deps: ReplayDeps) {
  const t = vscode.l10n.t;
  const { session, client, documents, hideKey } = deps;
  const replays = new Map<string, Replay>();

  async function replay(argument: unknown): Promise<void> {
    turnOf(deps, argument);
    const how = await pickHow();
    if (how !== undefined) await begin(how, argument);
  }

  async function begin(how: Replay["how"], argument: unknown): Promise<void> {
    const { turn, number } = turnOf(deps, argument);
    const conversation = session().id;
    const { text: content, contents } =
      how === "branch"
        ? { text: turn.prompt, contents: new Map<string, string>() }
        : hideEncrypted(await editable(turn.id, number));
    const language = how === "branch" ? "markdown" : "jsonc";
    const document = await newDocument(content, language);
    const kept = await session().history.keptOf(turn.id);
    const before = answerOf(kept?.items.slice(kept.asked.length) ?? []) || answerMarkdown(turn);
    replays.set(document.uri.toString(), { how, conversation, turn: turn.id, number, before, contents });
    await tellReplays();
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /**
   * Sets the context key that shows their buttons. Closed documents are removed from it, because a new document may get
   * the name of a closed one.
   */
  const tellReplays = () =>
    vscode.commands.executeCommand("setContext", contextKeys.replays, [...replays.keys()]);

  async function editable(turn: string, number: number): Promise<string> {
    const request = await firstRequestOf(deps, turn);
    const composed = request && (await client.compose(request.asked));
    if (composed === undefined) throw new HumanError(t("The request of this turn is not kept."));
    if ("message" in composed) throw new MessageError(composed.message);
    const body = JSON.stringify(JSON.parse(await hideKey(composed.body)), undefined, 2);
    const head = t(
      "The first request of turn {0}. Change it, then run “Patchbay: Send Changed Request”. Tools are offered, not run.",
      number,
    );
    return `// ${head}\n${body}\n`;
  }

  async function send(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const found = document && replays.get(document.uri.toString());
    if (document === undefined || found === undefined)
      throw new HumanError(t("Open the changed request or question first, then send it."));
    await (found.how === "branch"
      ? sendAsBranch(found, document.getText())
      : sendOnce(found, document.getText()));
  }

  async function sendOnce(found: Replay, text: string): Promise<void> {
    const read = readEdited(restoreEncrypted(text, found.contents), deps.editedSettings());
    if (!read.ok) throw new MessageError(read.message);
    const reply = await withProgress(t("Sending the changed request…"), (signal) =>
      deps.sendOnce(read.asked, signal),
    );
    if (reply.status === "stopped") return;
    if (reply.problem !== undefined) await showProblem(reply.problem);
    if (reply.items.length === 0 && reply.text === "") return;
    await compare(found, answerOf(reply.items.map(({ raw }) => raw)) || reply.text);
  }

  /** Branches its conversation before this turn, whichever is in use by now; the original is unchanged. */
  async function sendAsBranch(found: Replay, prompt: string): Promise<void> {
    if (prompt.trim() === "") throw new HumanError(t("It has no question."));
    await deps.branch(found.conversation, found.turn);
    await deps.showChat();
    const answered = await session().edit(found.turn, prompt);
    if (answered !== undefined) await compare(found, answerMarkdown(answered));
  }

  async function compare({ number, before, turn }: Replay, after: string): Promise<void> {
    const left = documents.add(t("Turn {0} before", number), {
      text: `${await hideKey(before)}\n`,
      type: "md",
      turn,
    });
    const right = documents.add(t("Turn {0} with changes", number), {
      text: `${await hideKey(after)}\n`,
      type: "md",
    });
    const title = t("Turn {0}: before ↔ with changes", number);
    await vscode.commands.executeCommand("vscode.diff", left, right, title);
  }

  const closing = vscode.workspace.onDidCloseTextDocument((closed) => {
    // Changing the language of a document is reported as closing and opening it.
    if (closed.isClosed && replays.delete(closed.uri.toString())) void tellReplays();
  });
  return {
    begin,
    commands: { [commands.replay]: replay, [commands.sendReplay]: send },
    dispose: () => void closing.dispose(),
  };
}

async function pickHow(): Promise<Replay["how"] | undefined> {
  const t = vscode.l10n.t;
  const items = [
    {
      label: t("The whole request, once"),
      detail: t("Edit the JSON and compare the responses. The conversation doesn't change."),
      how: "once" as const,
    },
    {
      label: t("Another question, as a branch"),
      detail: t("A new conversation that is the same until here."),
      how: "branch" as const,
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: t("Replay with Changes") }))?.how;
}
