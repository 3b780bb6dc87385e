// Breaking and harmless patches for real sources, planted by rules that are the same for every project, and what a check by
// itself, on a plain copy, says of each: only what it can see counts as missed.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { environmentFor, unattended } from "../../../src/checks/internal/command-environment.ts";

export interface Planted {
  readonly what: string;
  readonly path: string;
  readonly text: string;
}

type Language = "ts" | "py" | "go";
type Change = readonly [what: string, from: RegExp, to: string];

/** The first place of each in a file that has one. */
const breaking: Readonly<Record<Language, readonly Change[]>> = {
  ts: [
    [
      "signature",
      /^(export (?:async )?function \w+(?:<[^(]*>)?\()(?=\w)/m,
      "$1planted: { readonly planted: true }, ",
    ],
    ["export removed", /^export (?=(?:async )?function |const )/m, ""],
    ["import removed", /^import \{[^}]*\} from ["'][^"']+["'];?\n/m, ""],
    [
      "type narrowed",
      /^(export (?:interface|type)[^}]*?: )(?:string|number|boolean)(?=[;,\n])/m,
      '$1"planted"',
    ],
  ],
  py: [
    ["signature", /^(\s*def [a-z]\w+\()(self, )?(?=\w)/m, "$1$2planted, "],
    ["name changed", /^(\s*def )([a-z]\w+)(?=\()/m, "$1planted_$2"],
    ["import removed", /^(?:from \S+ import \w+(?:, \w+)*|import \w+)\n/m, ""],
    ["behaviour", /^(\s+)return (?!None|True|False)\w[^\n]*/m, "$1return None"],
  ],
  go: [
    ["signature", /^(func (?:\([^)]*\) )?\w+\()(?=\w)/m, "$1planted struct{ planted int }, "],
    ["name changed", /^(func (?:\([^)]*\) )?)([A-Z]\w*)(?=\()/m, "$1Planted$2"],
    ["import removed", /^\t"[\w/]+"\n/m, ""],
    ["type narrowed", /^(\t\w+ +)(?:int|string|bool|rune)$/m, "$1struct{ planted int }"],
  ],
};
const harmless: Readonly<Record<Language, readonly Change[]>> = {
  ts: [
    ["comment", /^(?=export )/m, "// Planted.\n"],
    ["lines above", /^(?=export )/m, "\n\n\n"],
  ],
  py: [
    ["comment", /^(?=def |class )/m, "# Planted.\n"],
    ["lines above", /^(?=def |class )/m, "\n\n\n"],
  ],
  go: [
    ["comment", /^(?=func )/m, "// planted\n\n"],
    ["lines above", /^(?=func )/m, "\n\n\n"],
  ],
};

/** `each`: of every kind so many, in files that stand as far apart as they can. */
export function plantedIn(
  folder: string,
  paths: readonly string[],
  language: Language,
  each: number,
): readonly Planted[] {
  const made: Planted[] = [];
  for (const [what, from, to] of [...breaking[language], ...harmless[language]]) {
    const fit = paths.filter((path) => from.test(fs.readFileSync(join(folder, path), "utf8")));
    const step = Math.max(1, Math.floor(fit.length / each));
    for (let at = 0; at < fit.length && at < step * each; at += step) {
      const path = fit[at] ?? "";
      const text = fs.readFileSync(join(folder, path), "utf8").replace(from, to);
      made.push({ what, path, text });
    }
  }
  return made;
}

/** The command by itself, on a copy that nothing of the product has made: whether it says anything that it did not say before. */
export function plainCheck(folder: string, plain: string, command: string): (planted: Planted) => boolean {
  fs.cpSync(folder, plain, { recursive: true, verbatimSymlinks: true });
  const temporary = `${plain}-tmp`;
  fs.mkdirSync(temporary, { recursive: true });
  const run = () => {
    const env = { ...environmentFor(plain, temporary), ...unattended };
    const done = spawnSync(command, { cwd: plain, shell: true, encoding: "utf8", env, maxBuffer: 2 ** 28 });
    // Numbers of lines, times and columns are others each time.
    const lines = `${done.stdout}${done.stderr}`.split("\n").map((line) => line.replace(/\d+/g, "0").trim());
    return { code: done.status, lines: lines.filter((line) => line !== "").sort() };
  };
  const before = run();
  return ({ path, text }) => {
    const place = join(plain, path);
    const old = fs.readFileSync(place);
    fs.writeFileSync(place, text);
    const after = run();
    fs.writeFileSync(place, old);
    if (after.code === 0) return false;
    return before.code === 0 || after.lines.join("\n") !== before.lines.join("\n");
  };
}
