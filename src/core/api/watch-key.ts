// Who looks after the connection hears from any operation whether the service is there and takes the key (requirements A8).
// What each operation says of itself it says as before.
import type { Problem, ProblemAction, ProblemKind } from "../conversation/problem.ts";

export interface KeyWatcher {
  refused(problem: Problem): void;
  accepted(): void;
  /** With each outcome: why there is no way to the service, or nothing where there is one. */
  reached(problem: Problem | undefined): void;
  /** Whether it does what it is asked: not while it is away, busy or broken. */
  answers(isThere: boolean): void;
}

/** What has nothing to do with what was asked, and goes by. */
const outages: ReadonlySet<ProblemKind> = new Set(["network", "timeout", "server", "busy"]);

export const isOutage = (problem: Problem | undefined): boolean =>
  problem !== undefined && outages.has(problem.kind);

/** What mends the way to the service. */
const mending: ReadonlySet<ProblemAction> = new Set(["connection-check", "proxy-help"]);

/** What it hears of an outcome. A problem of another kind says nothing about the key. */
export function hear(watcher: KeyWatcher, problem: Problem | undefined): void {
  watcher.reached(unreached(problem));
  if (problem === undefined || isOutage(problem)) watcher.answers(problem === undefined);
  if (problem === undefined) watcher.accepted();
  else if (problem.kind === "auth" && isOfKey(problem)) watcher.refused(problem);
}

/** Not every door that is closed (403) says something of the key: a model, a region or a firewall may be meant. */
const isOfKey = ({ status, detail = "" }: Problem): boolean =>
  status !== 403 ||
  /\b(api[ _-]?key|key|credentials?|unauthorized|authenticat\w+|access token)\b/i.test(detail);

/** What is left to do about it where nothing was asked: a connection that ends within a reply had been there. */
function unreached(problem: Problem | undefined): Problem | undefined {
  if (problem?.kind !== "network" && problem?.kind !== "timeout") return undefined;
  const { kind, message } = problem;
  const actions = problem.actions.filter((action) => mending.has(action));
  return actions.length === 0 ? undefined : { kind, message, actions };
}
