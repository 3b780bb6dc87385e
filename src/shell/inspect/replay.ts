// A turn sent again with changes: the whole request as a one-off that leaves the conversation alone, or another question
// as a branch. What is changed is an ordinary untitled document; what comes of it stands beside what it was.
import * as vscode from "vscode";
import type { Reply } from "../../core/api/reply.ts";
import type { Composable } from "../../core/api/request.ts";
import { answerMarkdown } from "../../core/conversation/answer-markdown.ts";
import { answerOf } from "../../core/inspect/answer-of.ts";
import { type Hidden, hideEncrypted, putBack } from "../../core/inspect/encrypted.ts";
import { type EditedSettings, readEdited } from "../../core/inspect/read-edited.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import { commands, contextKeys } from "../manifest.ts";
import { newDocument } from "../new-document.ts";
import { showProblem } from "../show-problem.ts";
import { withProgress } from "../with-progress.ts";
import { type InspectDeps, turnOf } from "./inspect-commands.ts";
import { firstRequestOf } from "./requests-of-turn.ts";

export interface ReplayDeps extends Omit<InspectDeps, "about"> {
  editedSettings(): EditedSettings;
  /** One request outside every conversation. */
  sendOnce(asked: Composable, signal: AbortSignal): Promise<Reply>;
  /** That conversation comes into view and branches after this turn. */
  branch(conversation: string, turn: string): Promise<void>;
  showChat(): Thenable<unknown>;
}

interface Replay {
  readonly how: "once" | "branch";
  readonly conversation: string;
  readonly turn: string;
  readonly number: number;
  /** The response it will stand beside. */
  readonly before: string;
  /** What is not shown in the document, and goes out again. */
  readonly contents: Hidden["contents"];
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

  /** Their buttons are there for these alone: a new document may get the name of one that was closed. */
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
    const read = readEdited(putBack(text, found.contents), deps.editedSettings());
    if (!read.ok) throw new MessageError(read.message);
    const reply = await withProgress(t("Sending the changed request…"), (signal) =>
      deps.sendOnce(read.asked, signal),
    );
    if (reply.status === "stopped") return;
    if (reply.problem !== undefined) await showProblem(reply.problem);
    if (reply.items.length === 0 && reply.text === "") return;
    await compare(found, answerOf(reply.items.map(({ raw }) => raw)) || reply.text);
  }

  /** Its conversation branches before this turn, whichever is in use by now; the original stays as it is. */
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
    // Another language is told as closing and opening again.
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
