// One static HTML file with the page's own policy, style sheets and renderer: window.render(markdown) draws in one shot,
// window.stream(markdown, step) in deltas of `step` characters; both resolve when everything is drawn.
// `node test/run.mjs render-page [file]` builds it.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { contentSecurityPolicy } from "../../src/bridge/html.ts";
import { laterScripts } from "./page-files.mjs";

/** Loaded on demand in VS Code; here they run before the renderer. */
const scripts = Object.values(laterScripts());

export async function buildRenderPage(
  file = ".build/render-page.html",
  entry = "test/page/browser/render-entry.ts",
): Promise<string> {
  const target = resolve(file);
  const nonce = randomBytes(16).toString("base64url");
  // In one file there is no other origin for styles than the file: they carry the nonce too.
  const policy = contentSecurityPolicy({ nonce, cspSource: `'nonce-${nonce}'` });
  const [styles, ...bundles] = await Promise.all(["src/page/styles.css", ...scripts, entry].map(bundle));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target,
    [
      '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
      `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Patchbay renderer</title>',
      `<style nonce="${nonce}">\n${styles}\n</style>`,
      '</head><body class="vscode-dark"><main></main>',
      ...bundles.map((script) => `<script nonce="${nonce}">\n${script}\n</script>`),
      "</body></html>\n",
    ].join("\n"),
  );
  return target;
}

async function bundle(entry: string): Promise<string> {
  // Loaded here: whoever draws nothing needs no bundler.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    alias: { entities: "./src/page/markdown/parse/named-characters.ts" },
    charset: "utf8",
    format: "iife",
    logLevel: "warning",
    minify: true,
    platform: "browser",
    target: "chrome128",
    write: false,
  });
  // A script inside HTML ends at the first "</script", wherever it stands.
  return (outputFiles[0]?.text ?? "").replace(/<\/(?=script)/gi, "<\\/");
}
