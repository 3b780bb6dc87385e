// What will be sent, what was sent and what came back, as documents; as a command for a shell; and sent again with
// changes, beside what it was. Looking sends nothing.
import * as vscode from "vscode";
import type { ServiceClient } from "../../core/api/service-client.ts";
import { curlOf } from "../../core/inspect/curl.ts";
import { hideEncrypted } from "../../core/inspect/encrypted.ts";
import type { Exchanges } from "../../core/inspect/exchanges.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { Session } from "../../core/session/session.ts";
import type { Features } from "../../core/tokens/text-features.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { InspectDocuments } from "./inspect-documents.ts";
import { requestText, turnText } from "./inspect-text.ts";
import { firstRequestOf } from "./requests-of-turn.ts";

export interface InspectDeps {
  /** The one that is in use. */
  session(): Session;
  readonly client: Pick<ServiceClient, "compose">;
  readonly exchanges: Exchanges;
  readonly documents: InspectDocuments;
  /** About how many tokens something is. */
  about(model: string, features: Features): number;
  focusedTurn(): string | undefined;
  /** Takes the key out of a text. */
  hideKey(text: string): Promise<string>;
}

export function createInspectCommands(deps: InspectDeps) {
  const t = vscode.l10n.t;
  const { session, client, exchanges, documents, hideKey } = deps;

  async function composeDraft() {
    if (session().draft.contents.length === 0) throw new HumanError(t("Write a question first."));
    const outgoing = await session().preview(undefined, AbortSignal.timeout(60_000));
    const composed = await client.compose(outgoing);
    if ("message" in composed) throw new MessageError(composed.message);
    return { composed, model: outgoing.model };
  }

  async function inspectRequest(): Promise<void> {
    const { composed, model } = await composeDraft();
    const text = requestText(composed, (part) => deps.about(model, part));
    await documents.show(t("Next request"), { text, composed });
  }

  async function inspectTurn(argument: unknown): Promise<void> {
    const { turn, number } = turnOf(deps, argument);
    const found = exchanges.of(turn.id);
    const kept = await session().history.keptOf(turn.id);
    const text = hideEncrypted(await hideKey(turnText({ turn, number, exchanges: found, kept }))).text;
    const composed = await composedOf(turn.id);
    await documents.show(t("Turn {0}", number), { text, composed, turn: turn.id });
  }

  async function composedOf(turn: string) {
    const request = await firstRequestOf(deps, turn);
    const composed = request && (await client.compose(request.asked));
    return composed === undefined || "message" in composed ? undefined : composed;
  }

  /** Of the document in front; without one, of the draft. */
  async function copyCurl(): Promise<void> {
    const shown = documents.of(vscode.window.activeTextEditor?.document.uri);
    if (shown !== undefined && shown.composed === undefined)
      throw new HumanError(t("The request of this turn is not kept."));
    const composed = shown?.composed ?? (await composeDraft()).composed;
    await vscode.env.clipboard.writeText(
      curlOf(composed, t("Encrypted content is left out: only its size stands in its place.")),
    );
    void showInformation(
      t("Copied as curl; it reads the key from the variable {0} of your shell.", "PATCHBAY_KEY"),
    );
  }

  return {
    [commands.inspectRequest]: inspectRequest,
    [commands.inspectTurn]: inspectTurn,
    [commands.copyCurl]: copyCurl,
  };
}

/** The turn a command is about: the one that is named, has the focus, or is the last. */
export function turnOf(
  { session, focusedTurn }: Pick<InspectDeps, "session" | "focusedTurn">,
  argument: unknown,
) {
  const { turns } = session().state;
  const find = (id: unknown) => turns.findIndex((turn) => turn.id === id);
  const named = find(argument) >= 0 ? find(argument) : find(focusedTurn());
  const index = named >= 0 ? named : turns.length - 1;
  const turn = turns[index];
  if (turn === undefined) throw new HumanError(vscode.l10n.t("This conversation is empty."));
  return { turn, number: index + 1 };
}
