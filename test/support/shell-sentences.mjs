// Every sentence that the host shows in the editor's own windows, as it stands in the code: what the language bundles
// have to hold besides the sentences of the page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `t("…")` and `vscode.l10n.t("…")`; the first argument is always one literal. */
const call = /\bt\(\s*("(?:[^"\\]|\\.)*")/g;

export function shellSentences(root = process.cwd()) {
  const files = readdirSync(join(root, "src"), { recursive: true }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("webview"),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, "src", file), "utf8").matchAll(call)].map(([, literal]) =>
      JSON.parse(literal),
    ),
  );
  return [...new Set(found)].sort();
}
