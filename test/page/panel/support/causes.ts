// Why something happens: the functions of the product that are on the stack at a moment, and those before them that led to
// it across awaits, promises, timers and frames, as the engine itself remembers them. In this process and in a page alike.
import inspector from "node:inspector";
import { findSourceMap, SourceMap } from "node:module";
import type { Page } from "playwright-core";

/** Where a function of the product has called the next. */
export interface Cause {
  /** From `src`. */
  readonly file: string;
  /** From 0. */
  readonly line: number;
  readonly column: number;
}

export interface Causes {
  /** To be called at the moment in question. */
  note(moment: string): void;
  /** The latest cause first, of each time that it was noted. */
  of(moment: string): readonly (readonly Cause[])[];
  stop(): Promise<void>;
}

interface Frame {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Stack {
  readonly callFrames: readonly Frame[];
  readonly parent?: Stack;
}

const far = { maxDepth: 64 };
const mark = "the way here";

export async function causesHere(): Promise<Causes> {
  const session = new inspector.Session();
  session.connect();
  const noted = new Map<string, Cause[][]>();
  session.on("Runtime.consoleAPICalled", ({ params: { args, stackTrace } }) => {
    if (args[0]?.value === mark)
      keep(noted, args[1]?.value, stackTrace as Stack, ({ url }) => findSourceMap(url));
  });
  const post = (method: string, params = {}) =>
    new Promise<void>((resolve) => session.post(method, params, () => resolve()));
  for (const domain of ["Runtime", "Debugger"]) await post(`${domain}.enable`);
  await post("Debugger.setAsyncCallStackDepth", far);
  return {
    note: (moment) => inspector.console.trace(mark, moment),
    of: (moment) => noted.get(moment) ?? [],
    stop: async () => session.disconnect(),
  };
}

/** In a page it is noted by `console.trace` with `mark`, as `pageNotes` does. */
export async function causesIn(page: Page): Promise<Omit<Causes, "note">> {
  const cdp = await page.context().newCDPSession(page);
  const noted = new Map<string, Cause[][]>();
  const map = await fetch(new URL("/webview.js.map", page.url()));
  const source = new SourceMap(JSON.parse(await map.text()));
  cdp.on("Runtime.consoleAPICalled", ({ args, stackTrace }) => {
    if (args[0]?.value === mark)
      keep(noted, args[1]?.value, stackTrace as Stack, ({ url }) =>
        url.endsWith("/webview.js") ? source : undefined,
      );
  });
  for (const domain of ["Runtime", "Debugger"] as const) await cdp.send(`${domain}.enable`);
  await cdp.send("Debugger.setAsyncCallStackDepth", far);
  return { of: (moment) => noted.get(moment) ?? [], stop: () => cdp.detach() };
}

/** From here on the page notes when it posts such a message, and when this word is first in its text. */
export async function pageNotes(page: Page, message: string, word: string): Promise<void> {
  await page.evaluate(
    ([mark, message, word]) => {
      const host = window as unknown as { tellHost(message: { readonly type: string }): void };
      const tell = host.tellHost;
      host.tellHost = (told) => {
        if (told.type === message) console.trace(mark, message);
        tell(told);
      };
      let isThere = false;
      type Methods = Record<string, (...given: unknown[]) => unknown>;
      const watch = (kind: { readonly prototype: object }, ...names: readonly string[]) => {
        const methods = kind.prototype as Methods;
        for (const name of names) {
          const own = methods[name];
          methods[name] = function (this: unknown, ...given: unknown[]) {
            const answer = own?.apply(this, given);
            if (!isThere && document.body.textContent?.includes(word)) {
              isThere = true;
              console.trace(mark, word);
            }
            return answer;
          };
        }
      };
      watch(Node, "appendChild", "insertBefore", "replaceChild");
      watch(Element, "append", "prepend", "before", "after", "replaceWith", "replaceChildren");
      watch(CharacterData, "appendData", "insertData", "replaceData");
    },
    [mark, message, word] as const,
  );
}

function keep(
  noted: Map<string, Cause[][]>,
  moment: string,
  stack: Stack,
  mapOf: (frame: Frame) => SourceMap | undefined,
): void {
  const causes: Cause[] = [];
  for (let each: Stack | undefined = stack; each !== undefined; each = each.parent)
    for (const frame of each.callFrames) {
      const entry = mapOf(frame)?.findEntry(frame.lineNumber, frame.columnNumber);
      if (entry === undefined || !("originalSource" in entry)) continue;
      const [, file] = /^(?!.*\/(?:node_modules|test)\/).*\/src\/(.+)$/.exec(entry.originalSource) ?? [];
      if (file !== undefined) causes.push({ file, line: entry.originalLine, column: entry.originalColumn });
    }
  noted.set(moment, [...(noted.get(moment) ?? []), causes]);
}
