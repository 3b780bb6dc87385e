// What is suggested while somebody types after `@` in a large repository: what the first answer takes, and what each key
// costs this thread. The files come from the program that VS Code's `findFiles` runs.
import { basename } from "node:path";
import { createFileSuggestions, type Suggested } from "../../../src/files/file-suggestions.ts";
import type { FileFinder } from "../../../src/files/workspace.ts";
import { threadTime } from "../../support/thread-time.ts";
import { diskWorld } from "./disk-world.ts";

export interface Key {
  readonly query: string;
  readonly milliseconds: number;
  readonly processor: number;
  readonly count: number;
}

export interface Typed {
  readonly listing: number;
  /** While the files were found by the program. */
  readonly finding: number;
  readonly keys: readonly Key[];
}

const never = new AbortController().signal;

/** `find` answers what there is under the root, by path. */
export async function typeQueries(
  root: string,
  queries: readonly string[],
  find: () => Promise<readonly string[]>,
): Promise<Typed> {
  let finding = 0;
  const finder: FileFinder = {
    async find() {
      const began = performance.now();
      const found = await find();
      finding = performance.now() - began;
      return found;
    },
    heedsIgnoreFiles: () => true,
    onChange: () => ({ dispose() {} }),
    recent: () => [{ folder: basename(root), path: "packages/lodash/lodash.js" }],
  };
  const workspace = diskWorld(root, undefined);
  const privacy = () => ({ ignore: [], alsoIgnore: [] });
  const runs = Array.from({ length: 3 }, () => createFileSuggestions({ workspace, finder, privacy }));
  let listing = Number.POSITIVE_INFINITY;
  const best = new Map<string, Key>();
  for (const suggestions of runs) {
    const began = performance.now();
    await last(suggestions.suggest("", never));
    listing = Math.min(listing, performance.now() - began);
    for (const query of queries.flatMap(keysOf)) {
      const key = await typeKey(query, () => last(suggestions.suggest(query, never)));
      if (key.processor < (best.get(query)?.processor ?? Number.POSITIVE_INFINITY)) best.set(query, key);
    }
    suggestions.dispose();
  }
  return { listing, finding, keys: [...best.values()] };
}

/** Key by key; with a blank before it, pasted. */
const keysOf = (query: string): readonly string[] =>
  query.startsWith(" ") ? [query.trim()] : Array.from(query, (_, at) => query.slice(0, at + 1));

async function typeKey(query: string, work: () => Promise<Suggested | undefined>): Promise<Key> {
  const [used, began] = [threadTime(), performance.now()];
  const answer = await work();
  const milliseconds = performance.now() - began;
  return { query, milliseconds, processor: threadTime() - used, count: answer?.items.length ?? 0 };
}

async function last(answers: AsyncIterable<Suggested>): Promise<Suggested | undefined> {
  let answer: Suggested | undefined;
  for await (const each of answers) answer = each;
  return answer;
}
