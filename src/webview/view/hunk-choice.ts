// Which changes of a proposed patch a person wants. All of them, until some are left out.
import type { PatchFile } from "../../core/conversation/tool-use.ts";

export interface HunkChoice {
  has(hunk: string): boolean;
  set(hunks: readonly string[], wanted: boolean): void;
  /** The ones that are wanted, of all that can be applied. */
  of(files: readonly PatchFile[]): { readonly wanted: readonly string[]; readonly all: number };
}

export function hunkChoice(changed: () => void): HunkChoice {
  const leftOut = new Set<string>();
  return {
    has: (hunk) => !leftOut.has(hunk),
    set(hunks, wanted) {
      for (const hunk of hunks) {
        if (wanted) leftOut.delete(hunk);
        else leftOut.add(hunk);
      }
      changed();
    },
    of(files) {
      const all = files.flatMap(hunksOf);
      return { wanted: all.filter((hunk) => !leftOut.has(hunk)), all: all.length };
    },
  };
}

/** What can be applied of a file. */
export const hunksOf = ({ hunks, problem }: PatchFile): readonly string[] =>
  problem === undefined ? hunks.filter(({ status }) => status === "pending").map(({ id }) => id) : [];
