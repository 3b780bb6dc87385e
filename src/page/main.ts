// Entry point of the page: keeps the only channel to the host in a closure, asks for the first snapshot and draws the
// answers. jitless is set first: zod would otherwise try `new Function`, which the page's policy would report.
import * as z from "zod/mini";
import { ToPage } from "../bridge/protocol.ts";
import { createApp } from "./app.ts";
import { pageState } from "./page-state.ts";

z.config({ jitless: true });
const vscode = acquireVsCodeApi();
const app = createApp(vscode.postMessage, pageState(vscode));
document.querySelector(".starting")?.remove();
document.body.append(app.root);
window.addEventListener("message", ({ data, origin }) => {
  // The host sends through the surrounding frame, never from another origin (threats B6). That frame cannot be compared
  // with `source`: VS Code removes `window.parent` before this page runs.
  if (origin !== window.origin && !origin.startsWith("vscode-webview:")) return;
  const message = ToPage.safeParse(data);
  if (message.success) app.take(message.data);
});
vscode.postMessage({ type: "ready" });
