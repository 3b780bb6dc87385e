// The connection by hand: is the key accepted, and what does the service do where its interface is silent.
import assert from "node:assert/strict";
import { text } from "../sim/script.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest("the key is tested by one token count, and a wrong one says so", {}, async (vscode, sim) => {
  const { page } = vscode;
  await vscode.setKey("not-the-key");
  await vscode.command("Patchbay: Test API Key");
  await page.getByRole("button", { name: "Replace API Key…" }).waitFor();
  await vscode.setKey(sim.key);
  await vscode.command("Patchbay: Test API Key");
  await page.getByText("The key is accepted: svc-k3 counted", { exact: false }).first().waitFor();
  assert.deepEqual(
    sim.requests.map(({ method, path }) => `${method} ${path}`),
    Array.from({ length: 2 }, () => "POST /v1/tokenizers/estimate-token-count"),
  );
});

vscodeTest("the connection check says what it sends, and reports what it found", {}, async (vscode, sim) => {
  const { page } = vscode;
  await vscode.setKey(sim.key);
  await vscode.command("Patchbay: Check Connection…");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("At most 6 requests", { exact: false }).waitFor();
  assert.equal(sim.requests.length, 0);
  sim.reply(text("ok"));
  sim.reply(text("ok"));
  await dialog.getByRole("button", { name: "Check", exact: true }).click();
  const report = page
    .frameLocator('iframe.webview.ready[src*="markdown"]')
    .frameLocator("iframe#active-frame");
  await report.getByRole("heading", { name: "Connection check" }).waitFor();
  await report.getByRole("cell", { name: "Patch tool" }).waitFor();
  await vscode.screenshot("connection-check");
});
