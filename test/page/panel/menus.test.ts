import assert from "node:assert/strict";
import { test } from "node:test";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { smallHost } from "./support/small-host.ts";

const text =
  "See [the manual](https://example.com/manual), then:\n\n```ts\nfirst();\n```\n\nor\n\n```py\nsecond()\n```\n";

async function open() {
  const parts = [{ type: "text" as const, id: "t", text }];
  const host = smallHost({ conversation: { id: "c", turns: [turn("1", { prompt: "How?", parts })] } });
  const panel = await openPanel(host);
  const menuOn = async (selector: string) => {
    await panel.page.locator(selector).first().click({ button: "right" });
    const context = await panel.page.locator(".app").getAttribute("data-vscode-context");
    return JSON.parse(context ?? "{}");
  };
  return { host, panel, page: panel.page, menuOn };
}

test("the editor's context menu gets the section it was opened on and whether text is selected", async () => {
  const { page, panel, menuOn } = await open();
  assert.deepEqual(await menuOn(".md-link"), { patchbaySection: "link", patchbaySelection: false });
  assert.deepEqual(await menuOn("pre"), { patchbaySection: "code", patchbaySelection: false });
  assert.deepEqual(await menuOn(".byline"), { patchbaySection: "text", patchbaySelection: false });
  await page.locator(".md p").first().selectText();
  await page.locator(".md p").first().dispatchEvent("contextmenu");
  const context = await page.locator(".app").getAttribute("data-vscode-context");
  assert.deepEqual(JSON.parse(context ?? ""), { patchbaySection: "text", patchbaySelection: true });
  await panel.close();
});

test("code commands apply to the focused code block, or else to the last one", async () => {
  const { host, page, panel } = await open();
  host.tell("insert-code");
  await panel.settled();
  await page.locator("pre").first().focus();
  assert.equal(host.focused.at(-1)?.code, true);
  for (const act of ["copy-code", "new-file-from-code", "paste-code"] as const) host.tell(act);
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["use-code", "insert", "second()", "py"],
    ["copy", "first();"],
    ["use-code", "new-file", "first();", "ts"],
    ["use-code", "terminal", "first();", "ts"],
  ]);
  await panel.close();
});

test("link commands copy and open the URL of a link, and quote-selection quotes the selection in the composer", async () => {
  const { host, page, panel, menuOn } = await open();
  await menuOn(".md-link");
  host.tell("copy-link");
  host.tell("open-link");
  await page.locator(".md p").first().selectText();
  host.tell("quote-selection");
  await panel.settled();
  const asked = host.asked.filter(([what]) => what === "copy" || what === "open-link");
  assert.deepEqual(asked, [
    ["copy", "https://example.com/manual"],
    ["open-link", "https://example.com/manual"],
  ]);
  assert.equal(await page.getByRole("textbox").inputValue(), "> See the manual, then:\n\n");
  await panel.close();
});
