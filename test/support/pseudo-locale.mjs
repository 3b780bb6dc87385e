// The pseudo-locale: every sentence of the page, marked and lengthened, so that a test sees at once which words do not
// come from the dictionary, and a person sees what longer languages do to the layout. `node test/support/pseudo-locale.mjs` writes it.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const pseudoFile = "media/l10n/bundle.l10n.qps-ploc.json";

const accents = Object.fromEntries(
  [..."aeiouyAEIOUYcn"].map((letter, index) => [letter, "áéíóúýÁÉÍÓÚÝçñ"[index]]),
);

/** Holes ({count}) stay as they are. */
export function pseudo(sentence) {
  const body = sentence.replace(/\{\w+\}|[aeiouycn]/gi, (found) => accents[found] ?? found);
  return `⟦${body}${"·".repeat(Math.ceil(sentence.length / 4))}⟧`;
}

export const pseudoBundle = (sentences) =>
  Object.fromEntries([...new Set(sentences)].sort().map((sentence) => [sentence, pseudo(sentence)]));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { outputFiles } = await build({
    entryPoints: ["src/webview/english.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { english } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  writeFileSync(pseudoFile, `${JSON.stringify(pseudoBundle(Object.values(english)), undefined, 2)}\n`);
}
