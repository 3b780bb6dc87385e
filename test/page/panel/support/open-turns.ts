// The panel with a conversation of these turns in it.
import type { Conversation, Turn } from "../../../../src/conversation/state.ts";
import { openPanel } from "./panel.ts";
import { smallHost } from "./small-host.ts";

export const conversationOf = (...turns: readonly Turn[]): Conversation => ({ id: "c1", turns: [...turns] });

export async function openTurns(...turns: readonly Turn[]) {
  const host = smallHost({ conversation: conversationOf(...turns) });
  const panel = await openPanel(host);
  return { host, panel, page: panel.page };
}
