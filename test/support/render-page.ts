// One static HTML file with the page's own policy, style sheets and renderer, so that any corpus can be pointed at it:
// window.render(markdown) draws in one shot, window.stream(markdown, step) in deltas of `step` characters; both resolve
// when everything is drawn. `node test/run.mjs render-page [file]` builds it; Node 22 and newer also run this file as it
// stands (`node test/support/render-page.ts [file]`).
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";
import { contentSecurityPolicy } from "../../src/bridge/html.ts";

/** Loaded on demand in VS Code; here they run before the renderer. */
const scripts = ["math", "highlight", "languages"].map((name) => `src/webview/markdown/${name}-script.ts`);

export async function buildRenderPage(
  file = ".build/render-page.html",
  entry = "test/page/browser/render-entry.ts",
): Promise<string> {
  const target = resolve(file);
  const nonce = randomBytes(16).toString("base64url");
  // In one file there is no other origin for styles than the file: they carry the nonce too.
  const policy = contentSecurityPolicy({ nonce, cspSource: `'nonce-${nonce}'` });
  const [styles, ...bundles] = await Promise.all(["src/webview/styles.css", ...scripts, entry].map(bundle));
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
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    alias: { entities: "./src/webview/named-characters.ts" },
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

if (/[\\/]render-page\.[cm]?[jt]s$/.test(process.argv[1] ?? "")) {
  console.log(await buildRenderPage(process.argv[2]));
}
