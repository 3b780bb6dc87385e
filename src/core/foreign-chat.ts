// One request for somebody else: asked through VS Code's own language models, answered by our client, written into our
// ledger because the editor has no place for figures. They run their tools themselves, so a call ends the request.
import type { ServiceClient } from "./api/service-client.ts";
import { readArguments } from "./api/tool-calls.ts";
import type { Problem } from "./conversation/problem.ts";
import { type NoteNeeds, noteReply } from "./ledger/note-reply.ts";
import { type ForeignQuestion, ForeignReplies, foreignRequest } from "./turn/foreign-request.ts";
import { inForm } from "./turn/simplify.ts";

export type ForeignEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; readonly input: object }
  /** The last one; without a problem the answer is whole, or was cut at a limit. */
  | { readonly type: "ended"; readonly problem?: Problem };

export interface ForeignChat {
  /** Leaving early closes the connection. */
  ask(question: ForeignQuestion, signal: AbortSignal): AsyncGenerator<ForeignEvent, void>;
}

export interface ForeignChatNeeds extends NoteNeeds {
  readonly client: Pick<ServiceClient, "respond" | "chat" | "found">;
}

export function createForeignChat(needs: ForeignChatNeeds): ForeignChat {
  const { client, newId } = needs;
  const replies = new ForeignReplies(newId());
  return {
    async *ask(question, signal) {
      const asked = await foreignRequest(question, replies, signal);
      // What a person has agreed to for this address holds for others, too: they cannot be asked.
      const { history = "whole" } = (await client.found()) ?? {};
      const events =
        asked.route === "responses"
          ? client.respond({ ...asked.request, input: inForm(history, asked.request.input) }, signal)
          : client.chat(asked.request, signal);
      for await (const event of noteReply(events, needs)) {
        if (event.type === "text" || event.type === "refusal") yield { type: "text", text: event.delta };
        if (event.type !== "ended") continue;
        const { items, runnable, problem } = event.reply;
        replies.keep(items);
        for (const { callId: id, name, input } of runnable)
          yield { type: "call", id, name, input: readArguments(input) ?? {} };
        yield problem === undefined ? { type: "ended" } : { type: "ended", problem };
      }
    },
  };
}
