// What is opened step by step, and only whole: where a step fails, what those before it have opened is closed again.
import { tryAllSteps } from "./try-all-steps.ts";

interface Closable {
  dispose(): unknown;
}

/** It is closed with all the rest, the last first. */
export type Own = <T extends Closable>(thing: T) => T;

/** `close`: each once, whatever becomes of the others. */
export async function openAllOrNothing<T>(
  open: (own: Own, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened: Closable[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= tryAllSteps(opened.reverse().map((each) => () => each.dispose()));
    return closing;
  };
  try {
    return await open((thing) => {
      opened.push(thing);
      return thing;
    }, close);
  } catch (error) {
    // Why it could not be opened is what there is to say.
    await close().catch(() => {});
    throw error;
  }
}
