// One request outside every conversation: what it cost and what was signed about it is written down like all other.

import type { Reply } from "../api/reply.ts";
import { lastReply } from "../api/reply-end.ts";
import type { Composable } from "../api/request.ts";
import type { ServiceClient } from "../api/service-client.ts";
import { type NoteDeps, noteReply } from "../ledger/note-reply.ts";

export interface SendOnceDeps extends NoteDeps {
  readonly client: Pick<ServiceClient, "respond" | "chat">;
}

export async function sendOnce(asked: Composable, deps: SendOnceDeps, signal: AbortSignal): Promise<Reply> {
  const { client } = deps;
  const events =
    asked.route === "responses" ? client.respond(asked.request, signal) : client.chat(asked.request, signal);
  return lastReply(noteReply(events, deps));
}
