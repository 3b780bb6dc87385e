// Which of the proposed files a check could execute rather than read: configuration that is code, build scripts, macros, the
// person's own tools. Such a check waits for a person. Names are guessed at generously: one click too many is cheap.
import type { FileChange } from "../patch/model.ts";
import { foldName } from "../patch/paths.ts";
import { protectionOf } from "../patch/reasons-to-ask.ts";
import type { Check } from "./check.ts";

/** What tools load without its being named like a configuration. */
const loaded =
  /(?:^|\/)(?:[^/]*\.config\.[^/]*|\.[\w.-]+rc(?:\.\w+)?|conftest\.py|build\.rs|(?:eslint|stylelint|babel|postcss)[\w-]*(?:rules?|plugins?)[^/]*(?:\/.*)?)$/;
// The folder and the ending are asked one after the other: in one expression, a path that repeats the folder would be read
// to its end once for every time.
const scriptFolder = /(?:^|\/)(?:scripts|tools|plugins|rules)\/./;
const scriptEnding = /\.(?:[cm]?[jt]s|py|sh|rb|pl)$/;
const macroFolder = /(?:^|\/)[\w-]{0,80}(?:macro|derive)[\w-]{0,80}\/src\//;
const macroEnding = /\.rs$/;

function isLoaded(path: string): boolean {
  return (
    loaded.test(path) ||
    (scriptEnding.test(path) && scriptFolder.test(path)) ||
    (macroEnding.test(path) && macroFolder.test(path))
  );
}

/** Paths below the check's folder, in their order. */
export function mayRun(
  check: Pick<Check, "command" | "body" | "kind">,
  changes: readonly FileChange[],
): string[] {
  const text = `${check.command} ${check.body ?? ""}`;
  const paths = changes.flatMap((change) =>
    change.kind === "move" ? [change.file.path, change.to.path] : [change.file.path],
  );
  return [...new Set(paths)].filter((path) => {
    const folded = foldName(path);
    // Whoever has switched tests on has agreed to what they run; the rest steers what is run.
    return protectionOf(folded).length > 0 || isLoaded(folded) || isNamed(path, text);
  });
}

/** `node tools/check.mjs` runs that file. */
function isNamed(path: string, command: string): boolean {
  const words = command.split(/[\s"'=;&|()]+/).map((word) => word.replace(/^\.\//, ""));
  return words.includes(path);
}
