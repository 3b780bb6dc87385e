// Uses a folder's copy once it is free. There is one copy, which checks, commands and searches use one after the other:
// whoever waits for long is told, and the log says how long.
import type { Log } from "../../util/log.ts";
import type { CheckCopy, CheckHost, Overlaid } from "../check.ts";

interface LineDeps {
  readonly host: Pick<CheckHost, "withCopy">;
  readonly log: Pick<Log, "info">;
  /** Called once it has waited for long, and again when its turn has come. */
  tell(isWaiting: boolean): void;
}

interface Use<T> {
  readonly folder: string;
  readonly overlaid: Overlaid;
  use(copy: CheckCopy): Promise<T>;
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const toldAfter = 500;

export async function inLine<T>(
  { host, log, tell }: LineDeps,
  { folder, overlaid, use, signal }: Use<T>,
): Promise<T> {
  const asked = performance.now();
  let isTold = false;
  const telling = setTimeout(() => {
    isTold = true;
    tell(true);
  }, toldAfter);
  const end = () => {
    clearTimeout(telling);
    if (isTold) tell(false);
    isTold = false;
  };
  const begin = (copy: CheckCopy) => {
    const waited = Math.round(performance.now() - asked);
    if (isTold) log.info(`A check waited ${waited} ms for the copy of ${folder}.`);
    end();
    return use(copy);
  };
  return host.withCopy(folder, overlaid, begin, signal).finally(end);
}
