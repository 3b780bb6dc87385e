// Finds the lines of a text that match. A regular expression comes from the model and may take for ever, so it
// runs in a thread of its own that can be ended; plain text is looked for right here.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Disposable } from "../util/disposables.ts";
import { Refusal } from "./refusal.ts";

export interface LineMatcher extends Disposable {
  /** Numbers of the first matching lines, from 1. Throws Refusal. */
  find(text: string, most: number): Promise<readonly number[]>;
}

export interface MatchOptions {
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** What one file may take. */
  readonly milliseconds?: number;
}

const lineEnd = /\r\n|\r|\n/;

export function createLineMatcher(query: string, options: MatchOptions): LineMatcher {
  if (query === "") throw new Refusal("The query is empty.");
  return options.regex ? regexMatcher(query, options) : plainMatcher(query, options.caseSensitive);
}

function plainMatcher(query: string, caseSensitive: boolean): LineMatcher {
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const wanted = fold(query);
  return {
    async find(text, most) {
      if (!fold(text).includes(wanted)) return [];
      return matching(text.split(lineEnd), (line) => fold(line).includes(wanted), most);
    },
    dispose() {},
  };
}

function matching(lines: readonly string[], fits: (line: string) => boolean, most: number): number[] {
  const numbers: number[] = [];
  for (let index = 0; index < lines.length && numbers.length < most; index++)
    if (fits(lines[index] ?? "")) numbers.push(index + 1);
  return numbers;
}

/** Runs in the thread: it is text, because a bundle has no second file to load. */
const threadSource = `
const { parentPort, workerData } = require("node:worker_threads");
const matching = ${matching};
const pattern = new RegExp(workerData.query, workerData.flags);
parentPort.on("message", ({ text, most }) =>
  parentPort.postMessage(matching(text.split(${lineEnd}), (line) => pattern.test(line), most)));
`;

function regexMatcher(query: string, { caseSensitive, milliseconds = 2000 }: MatchOptions): LineMatcher {
  const ignoring = caseSensitive ? "" : "i";
  // The strict dialect knows Unicode; the old one allows escapes that mean nothing, as models like to write them.
  const flags = [`${ignoring}u`, ignoring].find((flags) => isPattern(query, flags));
  if (flags === undefined) throw new Refusal(`"${query}" is not a regular expression.`);
  const thread = new Worker(threadSource, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { query, flags },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const failure = () => new Refusal(`The regular expression "${query}" could not be run.`);
  // Starting a thread is slow on a busy machine, and is not the expression's fault.
  const started = once(thread, "online").catch(() => Promise.reject(failure()));
  started.catch(() => {});
  thread.on("error", () => {});
  return {
    async find(text, most) {
      await started;
      return new Promise((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer);
          thread.off("message", found);
          thread.off("error", failed);
        };
        const found = (numbers: readonly number[]) => {
          settle();
          resolve(numbers);
        };
        const failed = () => {
          settle();
          reject(failure());
        };
        const timer = setTimeout(() => {
          settle();
          reject(new Refusal(`The regular expression "${query}" takes too long; use a simpler one.`));
        }, milliseconds);
        thread.on("message", found);
        thread.on("error", failed);
        thread.postMessage({ text, most });
      });
    },
    dispose: () => void thread.terminate(),
  };
}

function isPattern(query: string, flags: string): boolean {
  try {
    new RegExp(query, flags);
    return true;
  } catch {
    return false;
  }
}
