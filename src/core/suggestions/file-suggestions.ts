// What can be attached by name while a person types after `@`: files and folders that fit, best first, open and recent
// ones before all others. Ranked in short turns, so that the next key is heard, and given up when it comes.
import type { Attachment } from "../conversation/attachment.ts";
import { untilAborted } from "../util/abort.ts";
import type { Disposable } from "../util/disposables.ts";
import { type Entry, FileIndex, type FileIndexDeps } from "./file-index.ts";
import { fits, type Match, matchOf } from "./fuzzy-match.ts";
import { queryOf } from "./path-table.ts";
import { type Ranking, rankFiles, topOf } from "./rank-files.ts";

export interface FileSuggestion {
  readonly label: string;
  /** Places in the label of the letters that were typed. */
  readonly matches?: number[];
  readonly attachment: Attachment;
}

export interface Suggested {
  readonly items: readonly FileSuggestion[];
  /** There may be others: the workspace is still being listed. */
  readonly isIndexing: boolean;
}

export interface FileSuggestions extends Disposable {
  /** Answers again while the workspace is being listed. An abort ends it with an error. */
  suggest(query: string, signal: AbortSignal): AsyncGenerator<Suggested, void>;
}

const maxItems = 50;

export function createFileSuggestions(deps: FileIndexDeps): FileSuggestions {
  const index = new FileIndex(deps);
  /** Of what was typed so far, letter by letter: what fits the next letter is among what fitted the one before. */
  let rankings: readonly Ranking[] = [];

  async function ranked(typed: string, signal: AbortSignal): Promise<Ranking> {
    const query = queryOf(typed);
    const { files } = index;
    const before = rankings.filter((each) => each.files === files && query.text.startsWith(each.query.text));
    const ranking = await rankFiles(files, query, before.at(-1), signal);
    rankings = [...before.filter((each) => each.query.text !== query.text), ranking];
    return ranking;
  }

  async function suggestionsFor(typed: string, signal: AbortSignal): Promise<readonly FileSuggestion[]> {
    const recent = index.recent().filter(({ path }) => fits(path, typed));
    const first = scored(recent, typed, true);
    const isRecent = new Set(recent);
    const ranking = await ranked(typed, signal);
    for (let left = recent.length; ; ) {
      const { top, isAll } = topOf(ranking, left);
      const others = top.filter((each) => !isRecent.has(each));
      const { shown, hidden } = shownOf(scored(others, typed, false), maxItems - first.length);
      index.drop(hidden);
      if (hidden.length === 0 || isAll || first.length + shown.length >= maxItems)
        return [...first, ...shown].slice(0, maxItems).map(suggestion);
      // Others come up in the place of what is not shown.
      left += hidden.length;
    }
  }

  function shownOf(best: readonly Scored[], most: number) {
    const shown: Scored[] = [];
    const hidden: Entry[] = [];
    for (const each of best) {
      if (shown.length >= most) break;
      if (index.isShown(each.candidate)) shown.push(each);
      else hidden.push(each.candidate);
    }
    return { shown, hidden };
  }

  return {
    async *suggest(query, signal) {
      if (deps.workspace.folders.length === 0) return yield { items: [], isIndexing: false };
      if (!index.isListed) {
        await untilAborted(index.prepare(), signal);
        yield { items: await suggestionsFor(query, signal), isIndexing: true };
      }
      await untilAborted(index.update(), signal);
      yield { items: await suggestionsFor(query, signal), isIndexing: false };
    },
    dispose: () => index.dispose(),
  };
}

interface Scored {
  readonly candidate: Entry;
  readonly match: Match;
}

function scored(group: readonly Entry[], typed: string, keepsOrder: boolean): readonly Scored[] {
  const all = group.map((candidate) => ({ candidate, match: matchOf(candidate.path, typed) }));
  return all.toSorted(
    (one, other) =>
      other.match.score - one.match.score || (keepsOrder ? 0 : byLength(one.candidate, other.candidate)),
  );
}

const byLength = (one: Entry, other: Entry): number =>
  one.path.length - other.path.length || (one.path < other.path ? -1 : 1);

const suggestion = ({ candidate: { path }, match: { positions } }: Scored): FileSuggestion => ({
  label: path,
  ...(positions.length > 0 && { matches: [...positions] }),
  attachment: path.endsWith("/") ? { kind: "folder", path: path.slice(0, -1) } : { kind: "file", path },
});
