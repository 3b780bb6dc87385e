// Commands of the inspector: show what will be sent, what was sent and what came back, as documents; copy a request as
// a curl command; send it again with changes. Looking sends nothing.

import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { HumanError } from "../../../conversation/messages.ts";
import { commands } from "../../../editor/manifest.ts";
import { showInformation } from "../../../editor/notify.ts";
import type { Composable } from "../../../service/request.ts";
import type { ServiceClient } from "../../../service/service-client.ts";
import type { Session } from "../../../session/session.ts";
import type { Features } from "../../../usage/text-features.ts";
import type { Exchanges } from "../../exchanges.ts";
import { curlOf, hideEncrypted } from "../../internal/edit-and-compare.ts";
import type { InspectDocuments } from "../inspect.ts";
import { requestText, turnText } from "./request-document.ts";

interface RequestOfTurn {
  readonly asked: Composable;
  /** The bytes that were sent, if this window sent them. */
  readonly sent: string | undefined;
}

/** The first request of a turn: as it was sent in this window, otherwise reconstructed from the journal. */
export async function firstRequestOf(
  { session, exchanges }: { session(): Session; readonly exchanges: Exchanges },
  id: string,
): Promise<RequestOfTurn | undefined> {
  const [first] = exchanges.of(id);
  if (first !== undefined) return { asked: first, sent: first.sent?.() };
  const asked = await session().history.requestOf(id);
  return asked && { asked, sent: undefined };
}

export interface InspectDeps {
  /** The session in use. */
  session(): Session;
  readonly client: Pick<ServiceClient, "compose">;
  readonly exchanges: Exchanges;
  readonly documents: InspectDocuments;
  /** Approximate number of tokens. */
  about(model: string, features: Features): number;
  focusedTurn(): string | undefined;
  /** Removes the key from a text. */
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
    const told = await session().history.toldFiles();
    const text = requestText(composed, (part) => deps.about(model, part), told);
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

  /** Copies the request of the active document, or of the draft if there is none. */
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

/** The turn a command refers to: the one given, the focused one, or the last. */
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
