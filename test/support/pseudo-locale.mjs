// The pseudo-locale: every sentence of the page and of the editor's windows, marked and lengthened, so that a test sees
// at once which words do not come from a dictionary, and a person sees what longer languages do to the layout.
// `node test/support/pseudo-locale.mjs` writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { shellSentences } from "./shell-sentences.mjs";

export const pseudoFile = "media/l10n/bundle.l10n.qps-ploc.json";

const accents = Object.fromEntries(
  [..."aeiouyAEIOUYcn"].map((letter, index) => [letter, "áéíóúýÁÉÍÓÚÝçñ"[index]]),
);

/** Holes ({count}), icons ($(check)), code and addresses of commands stay as they are. */
export function pseudo(sentence) {
  const kept = /\{\w+\}|\$\(\w+\)|`[^`]*`|\(command:[^)]*\)|[aeiouycn]/gi;
  const body = sentence.replace(kept, (found) => accents[found] ?? found);
  return `⟦${body}${"·".repeat(Math.ceil(sentence.length / 4))}⟧`;
}

export const pseudoBundle = (sentences) =>
  Object.fromEntries([...new Set(sentences)].sort().map((sentence) => [sentence, pseudo(sentence)]));

async function pageSentences() {
  const { outputFiles } = await build({
    entryPoints: ["src/webview/english.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { english } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return Object.values(english);
}

const write = (file, entries) => writeFileSync(file, `${JSON.stringify(entries, undefined, 2)}\n`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  write(pseudoFile, pseudoBundle([...(await pageSentences()), ...shellSentences()]));
  const manifest = JSON.parse(readFileSync("package.nls.json", "utf8"));
  write(
    "package.nls.qps-ploc.json",
    Object.fromEntries(Object.entries(manifest).map(([key, sentence]) => [key, pseudo(sentence)])),
  );
}
