// `git merge-file` on many texts in one go: what it makes of each, and in how many places it could not.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "./remove-folder.mjs";

export interface Triple {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface GitMerged {
  readonly text: string;
  readonly conflicts: number;
}

const script = `i=0
while [ -f "$i.base" ]; do
  git merge-file -p "$i.mine" "$i.base" "$i.theirs" > "$i.out" 2>/dev/null
  echo $?
  i=$((i+1))
done`;

export async function gitMerges(triples: readonly Triple[]): Promise<readonly GitMerged[]> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-merges-"));
  try {
    for (const [at, triple] of triples.entries())
      for (const side of ["base", "mine", "theirs"] as const)
        writeFileSync(join(folder, `${at}.${side}`), triple[side]);
    const said = execFileSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
    const codes = said.trim().split("\n");
    return triples.map((_, at) => ({
      text: readFileSync(join(folder, `${at}.out`), "utf8"),
      conflicts: Number(codes[at]),
    }));
  } finally {
    await removeFolder(folder);
  }
}

type Pick = (below: number) => number;

/** Texts of few different lines, so that there are many ways to read what was changed; and two ways on from them. */
export function randomTriple(pick: Pick): Triple {
  const words = 2 + pick(10);
  const line = () => `${"abcdefghijkl"[pick(words)]}\n`;
  const lines = Array.from({ length: pick(24) }, line);
  const changed = () => {
    const now = [...lines];
    for (let left = pick(4); left > 0; left--) {
      const at = pick(now.length + 1);
      now.splice(at, pick(4), ...Array.from({ length: pick(4) }, line));
    }
    const text = now.join("");
    return pick(8) === 0 ? text.replace(/\n$/, "") : text;
  };
  const base = lines.join("");
  const [mine, theirs] = [changed(), changed()];
  return {
    base: pick(8) === 0 ? base.replace(/\n$/, "") : base,
    mine,
    theirs: pick(6) === 0 ? mine : theirs,
  };
}
