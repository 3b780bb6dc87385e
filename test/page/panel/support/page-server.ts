// Serves the page as VS Code would: the HTML of bridge/html.ts with its policy, the built scripts, the style sheets.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, extname } from "node:path";
import { build } from "esbuild";
import { pageHtml } from "../../../../src/bridge/html.ts";
import { pageFiles } from "../../../support/page-files.mjs";

export interface PageServer {
  readonly server: Server;
  readonly origin: string;
}

export type Dictionary = Readonly<Record<string, string>>;

export async function servePage(dictionaryOf: (language: string) => Dictionary): Promise<PageServer> {
  const built = await buildPage();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const answer = (type: string, body: string | Uint8Array) =>
      response.setHeader("Content-Type", `${type}; charset=utf-8`).end(body);
    // What stays the same is read and compiled once by a browser that opens page after page.
    if (pathname !== "/") response.setHeader("Cache-Control", "max-age=3600");
    const file = built.get(pathname);
    if (file !== undefined) answer(extname(pathname) === ".css" ? "text/css" : "text/javascript", file);
    else if (pathname === variables) answer("text/css", readFileSync("test/fixtures/themes/vscode.css"));
    else if (pathname === "/") {
      const language = searchParams.get("language") ?? "en";
      answer(
        "text/html",
        pageHtml({
          starting: "Loading the chat…",
          nonce: randomBytes(16).toString("base64"),
          cspSource: origin,
          scriptUri: "/webview.js",
          styleUris: [variables, "/styles.css"],
          language,
          dictionary: dictionaryOf(language),
        }),
      );
    } else response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, origin };
}

/** What VS Code puts into every page comes first. */
const variables = "/vscode.css";

async function buildPage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: pageFiles(),
    bundle: true,
    alias: { entities: "./src/page/markdown/parse/named-characters.ts" },
    format: "iife",
    target: "chrome128",
    outdir: "/",
    write: false,
    sourcemap: "external",
    logLevel: "error",
  });
  return new Map(outputFiles.map(({ path, contents }) => [`/${basename(path)}`, contents]));
}
