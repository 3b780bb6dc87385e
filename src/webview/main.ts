// The page's entry: captures the one channel to the host in a closure, asks the one question, draws the answers.
// jitless comes first: zod would otherwise try `new Function`, and the page's policy would report it.
import * as z from "zod/mini";
import { ToPage } from "../bridge/protocol.ts";
import { createApp } from "./app.ts";

z.config({ jitless: true });
const vscode = acquireVsCodeApi();
const app = createApp((message) => vscode.postMessage(message));
document.body.append(app.root);
window.addEventListener("message", ({ data }) => {
  const message = ToPage.safeParse(data);
  if (message.success) app.take(message.data);
});
vscode.postMessage({ type: "ready" });
