// Serves the page as VS Code would: the HTML of bridge/html.ts with its policy, the built script, the style sheet.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { pageHtml } from "../../../../src/bridge/html.ts";

export interface PageServer {
  readonly server: Server;
  readonly origin: string;
}

export interface PageLanguage {
  readonly language: string;
  readonly dictionary: Readonly<Record<string, string>>;
}

export async function servePage(languages: ReadonlyMap<string, PageLanguage>): Promise<PageServer> {
  const script = await buildPage();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const answer = (type: string, body: string | Uint8Array) =>
      response.setHeader("Content-Type", `${type}; charset=utf-8`).end(body);
    if (pathname === "/webview.js") answer("text/javascript", script);
    else if (pathname === "/chat.css") answer("text/css", readFileSync("media/chat.css"));
    else if (pathname === "/") {
      const found = languages.get(searchParams.get("language") ?? "") ?? { language: "en", dictionary: {} };
      answer(
        "text/html",
        pageHtml({
          nonce: randomBytes(16).toString("base64"),
          cspSource: origin,
          scriptUri: "/webview.js",
          styleUri: "/chat.css",
          ...found,
        }),
      );
    } else response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, origin };
}

async function buildPage(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: ["src/webview/main.ts"],
    bundle: true,
    format: "iife",
    target: "chrome128",
    write: false,
    logLevel: "error",
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error("The page was not built.");
  return script.contents;
}
