// What of the pending changes breaks a check: offered beside a red result, shown as it runs, decided with two buttons.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ViewState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import { picture } from "./support/looks.ts";
import { openPatch, waiting } from "./support/open-patch.ts";

const said = { name: "tests", count: 1, first: "ten of one article gets a discount" };
const checks: ViewState["checks"] = [
  { id: "1", name: "tests", state: "new-findings", said: message("checkNewFailure", said), found: [] },
  {
    id: "2",
    name: "types",
    state: "passed",
    said: message("checkPassedIn", { name: "types", seconds: "3.6" }),
    found: [],
  },
];
const changes = { ...waiting, hunks: 10, conflicts: 0 };
const offered = { isRunning: false, canFind: true, places: [], shown: 1 };
const running = {
  ...{ isRunning: true, canFind: false, places: [], shown: 2 },
  said: message("breakingRuns", { run: 3, atMost: 12, changes: 4, all: 10 }),
};
const found = {
  ...{ isRunning: false, canFind: false, shown: 3, passing: 9, rest: 1 },
  places: [{ path: "src/cart.ts", line: 12 }],
  said: message("breakingFound", { names: "tests", places: "cart.ts:12" }),
};

test("a red result offers to find what breaks, shows each run, and then what passes and what goes back", async () => {
  const { host, panel, page, bar } = await openPatch(
    {},
    { changes, checks, breaking: offered },
    { theme: "dark" },
  );
  const row = bar.getByRole("group", { name: "What breaks", exact: true });
  await picture(page, "what breaks offered");
  await row.getByRole("button", { name: "Find What Breaks" }).press("Enter");
  host.setViewState({ breaking: running });
  await row.getByText("Run 3 of at most 12: 4 of 10 changes").waitFor();
  await picture(page, "what breaks runs");
  await row.getByRole("button", { name: "Cancel" }).click();
  host.setViewState({ breaking: found });
  await row.locator("[data-armed]").waitFor();
  await picture(page, "what breaks found");
  await row.getByRole("button", { name: "Breaks tests: cart.ts:12" }).click();
  await row.getByRole("button", { name: "Accept 9 That Pass" }).click();
  await row.getByRole("button", { name: "Send 1 Back" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["act-on-breaking", "find", 1],
    ["act-on-breaking", "stop", 2],
    ["open-file", "src/cart.ts", 12],
    ["act-on-breaking", "accept", 3],
    ["act-on-breaking", "send-back", 3],
  ]);
  await panel.close();
});
