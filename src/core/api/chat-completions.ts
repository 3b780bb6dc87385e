// Chat completions: text with any model; the full history goes along on each call.
import { chatBody } from "./body.ts";
import type { Call } from "./call.ts";
import { ChatReply } from "./chat-reply.ts";
import { generate } from "./generate.ts";
import type { ReplyEvent } from "./reply.ts";
import type { ChatRequest } from "./request.ts";

export function chat(
  call: Call,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  return generate(
    call,
    {
      path: "/chat/completions",
      model: request.model,
      body: (found) => chatBody(request, call.settings, found),
      reader: () => new ChatReply(),
    },
    signal,
  );
}
