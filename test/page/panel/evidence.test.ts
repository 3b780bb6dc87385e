// What facts say of the claims of a response, on the card of its changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckState, EvidenceState } from "../../../src/bridge/view-state.ts";
import { message } from "../../../src/conversation/messages.ts";
import { picture } from "./support/looks.ts";
import { openPatch, waiting } from "./support/open-patch.ts";

const failed = message("checkNew", { name: "tests", count: 1 });
const evidence: EvidenceState = {
  call: "call",
  contradicted: [
    message("claimSays", { quote: "All tests pass", why: message("claimFails", { results: [failed] }) }),
  ],
  line: [
    message("evidenceContradictedOne"),
    message("evidenceProven", { count: 1 }),
    message("evidenceSeenOf", { seen: 1, count: 3 }),
  ],
  details: [
    message("claimProven", { quote: "I only changed `src/a.ts` and `src/b.ts`", by: "src/a.ts, src/b.ts" }),
    message("evidenceOfChange", { place: "src/a.ts:3", facts: [message("evidenceSeen")] }),
    message("evidenceOfChange", {
      place: "src/b.ts:7",
      facts: [message("riskPublicMany", { count: 4 }), message("evidenceUnseen")],
    }),
  ],
};
const tests: CheckState = { id: "2", name: "tests", state: "new-findings", found: [], said: failed };

test("a contradicted claim is a row of the card, and all evidence one line that unfolds by key", async () => {
  const { panel, page } = await openPatch({}, { changes: waiting, checks: [tests], evidence });
  const card = page.locator(".patch > .evidence");
  const said = "The response says “All tests pass”. On this proposal: tests ✗ 1 new";
  assert.deepEqual(await card.locator(".contradicted").allTextContents(), [said]);
  assert.equal(
    (await card.locator("summary").textContent())?.trim(),
    "Evidence1 claim contradicted · 1 proven · 1 of 3 changes seen in the editor",
  );
  assert.equal(await card.locator("li").first().isVisible(), false);
  await card.locator("summary").focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await card.locator("li").allTextContents(), [
    "Proven: “I only changed `src/a.ts` and `src/b.ts`” (src/a.ts, src/b.ts)",
    "src/a.ts:3: seen in the editor",
    "src/b.ts:7: public API, 4 references; not seen in the editor",
  ]);
  await picture(page, "evidence");
  await page.setViewportSize({ width: 300, height: 800 });
  assert.equal(
    await card.evaluate((one) => one.scrollWidth > one.clientWidth),
    false,
    "cut off at 300 pixels",
  );
  await panel.close();
});

test("the card of another patch, and one without claims, shows no evidence", async () => {
  const other = await openPatch({}, { changes: waiting, evidence: { ...evidence, call: "another" } });
  assert.equal(await other.page.locator(".patch > .evidence").isVisible(), false);
  await other.panel.close();
  const none = await openPatch({}, { changes: waiting });
  assert.equal(await none.page.locator(".patch > .evidence").isVisible(), false);
  await none.panel.close();
});
