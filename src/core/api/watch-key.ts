// The client as it was, except that whoever looks after the connection hears from any operation whether the service is
// there and takes the key (requirements A8). What each operation says of itself it says as before.
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import type { ReplyEvent } from "./reply.ts";
import type { ServiceClient } from "./service-client.ts";

export interface KeyWatcher {
  refused(problem: Problem): void;
  accepted(): void;
  /** With each outcome: why there is no way to the service, or nothing where there is one. */
  reached(problem: Problem | undefined): void;
}

/** What mends the way to the service. */
const mending: ReadonlySet<ProblemAction> = new Set(["connection-check", "proxy-help"]);

export function watchKey(client: ServiceClient, watcher: KeyWatcher): ServiceClient {
  /** A problem of another kind says nothing about the key. */
  function hear(problem: Problem | undefined): void {
    watcher.reached(unreached(problem));
    if (problem === undefined) watcher.accepted();
    else if (problem.kind === "auth") watcher.refused(problem);
  }
  async function* heard(events: AsyncGenerator<ReplyEvent, void>): AsyncGenerator<ReplyEvent, void> {
    for await (const event of events) {
      if (event.type === "ended" && event.reply.status !== "stopped") hear(event.reply.problem);
      yield event;
    }
  }
  const noting = async <T extends object>(asked: Promise<T>): Promise<T> => {
    const outcome = await asked;
    hear(problemOf(outcome));
    return outcome;
  };
  return {
    ...client,
    respond: (request, signal) => heard(client.respond(request, signal)),
    chat: (request, signal) => heard(client.chat(request, signal)),
    estimate: (request, signal) => noting(client.estimate(request, signal)),
    deleteFile: (id, signal) => noting(client.deleteFile(id, signal)),
    checkKey: (signal) => noting(client.checkKey(signal)),
    async checkConnection(ask, signal, notes) {
      const outcome = await client.checkConnection(ask, signal, notes);
      if (outcome !== "declined") hear("kind" in outcome ? outcome : outcome.problem);
      return outcome;
    },
  };
}

/** What is left to do about it where nothing was asked: a connection that ends within a reply had been there. */
function unreached(problem: Problem | undefined): Problem | undefined {
  if (problem?.kind !== "network" && problem?.kind !== "timeout") return undefined;
  const { kind, message } = problem;
  const actions = problem.actions.filter((action) => mending.has(action));
  return actions.length === 0 ? undefined : { kind, message, actions };
}

const problemOf = (outcome: { readonly problem?: Problem } | object): Problem | undefined =>
  "problem" in outcome ? outcome.problem : undefined;
