// Responses: the operation with tools, reasoning, search and cache figures. Only `svc-k3` speaks it.
import { responsesBody, responsesModel } from "./body.ts";
import type { Call } from "./call.ts";
import { generate } from "./generate.ts";
import type { ReplyEvent } from "./reply.ts";
import type { ResponsesRequest } from "./request.ts";
import { ResponseReply } from "./response-reply.ts";
import { callsIn } from "./tool-calls.ts";
import { callResolver } from "./tool-shapes.ts";

export function respond(
  call: Call,
  request: ResponsesRequest,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  const answered = callsIn(request.input);
  const resolve = callResolver(request.tools ?? []);
  return generate(
    call,
    {
      path: "/responses",
      model: request.model ?? responsesModel,
      conversation: request.cacheId,
      body: (found) => responsesBody(request, call.settings, found),
      reader: ({ echoed }) => new ResponseReply({ answered, resolve, sent: echoed }),
    },
    signal,
  );
}
