// The custom agents of a workspace in the menu of the model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { picture } from "./support/looks.ts";
import { openComposer } from "./support/open-composer.ts";

const list = [
  { id: ".github/agents/owl.agent.md", name: "Owl", description: "Reviews", model: "K2.6" },
  { id: ".claude/agents/cat.md", name: "Cat", description: "" },
];

test("the model menu lists the agents of the workspace, and one is chosen by keyboard alone", async () => {
  const { page, asked, panel } = await openComposer({ viewState: { agents: { list, isFixed: false } } });
  await page.setViewportSize({ width: 300, height: 600 });
  await page.getByRole("button", { name: "Model: K3" }).focus();
  for (const key of ["ArrowDown", "a", "ArrowRight"]) await page.keyboard.press(key);
  const menu = page.getByRole("menu", { name: "Agent" });
  assert.match(await page.locator(".popup:visible").innerText(), /Agents are files of the workspace/);
  assert.deepEqual(await menu.getByRole("menuitemradio").allInnerTexts(), [
    "None",
    "Owl\nReviews · uses K2.6",
    "Cat",
  ]);
  await picture(page, "agent-menu");
  await page.keyboard.type("c");
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["choose-agent", ".claude/agents/cat.md"]]);
  await panel.close();
});

test("a conversation that has begun keeps its agent, which the button names", async () => {
  const chosen = { id: "gone.md", name: "Owl" };
  const { page, asked, panel } = await openComposer({
    viewState: { agents: { list: [], chosen, isFixed: true } },
  });
  await page.getByRole("button", { name: "Model: K3 · Owl" }).focus();
  for (const key of ["ArrowDown", "a", "Enter"]) await page.keyboard.press(key);
  const row = page.getByRole("menuitem", { name: /^Agent/ });
  assert.equal(await row.getAttribute("aria-disabled"), "true");
  assert.match(await row.innerText(), /Start a new conversation/);
  assert.deepEqual(await asked(), []);
  await panel.close();
});
