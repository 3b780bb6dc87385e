// What corpora outside of this tree build from it: the static page, and the door itself as one file.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { renderPage } from "../support/corpus.ts";

function folder(t: TestContext, parent = realpathSync(tmpdir())): string {
  mkdirSync(parent, { recursive: true });
  const made = mkdtempSync(join(resolve(parent), "corpus-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("renderPage builds one file that holds the policy and the renderer", async (t) => {
  const file = join(folder(t), "page.html");
  assert.equal(await renderPage(file), file);
  const html = readFileSync(file, "utf8");
  assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
  assert.equal(html.match(/<script nonce=/g)?.length, 6);
  assert.doesNotMatch(html, /<(?:script|link)[^>]+(?:src|href)=/);
});

test("corpus.ts can be built into one file that needs no editor", async (t) => {
  // Below this folder, where its packages are found.
  const outfile = join(folder(t, ".build"), "corpus.mjs");
  await build({
    alias: { vscode: "./test/support/editor-on-disk.ts" },
    bundle: true,
    entryPoints: ["test/support/corpus.ts"],
    format: "esm",
    logLevel: "warning",
    outfile,
    packages: "external",
    platform: "node",
    target: "node20",
  });
  const built: object = await import(pathToFileURL(outfile).href);
  assert.deepEqual(Object.keys(built).sort(), [
    "applyToFolder",
    "changeSet",
    "checkProposal",
    "isSecretName",
    "languageModelProvider",
    "liveSession",
    "merge3",
    "offered",
    "oneConversation",
    "oneTurn",
    "renderPage",
    "riskFlags",
    "serviceClient",
    "withoutSecrets",
  ]);
});
