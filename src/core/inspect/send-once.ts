// One request outside every conversation: what it cost and what was signed about it is written down like all other.
import type { Composable } from "../api/compose.ts";
import type { Reply } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";
import { type NoteNeeds, noteReply } from "../ledger/note-reply.ts";

export interface SendOnceNeeds extends NoteNeeds {
  readonly client: Pick<ServiceClient, "respond" | "chat">;
}

export async function sendOnce(asked: Composable, needs: SendOnceNeeds, signal: AbortSignal): Promise<Reply> {
  const { client } = needs;
  const events =
    asked.route === "responses" ? client.respond(asked.request, signal) : client.chat(asked.request, signal);
  for await (const event of noteReply(events, needs)) if (event.type === "ended") return event.reply;
  throw new Error("The client ended without telling how.");
}
