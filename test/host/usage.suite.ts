// The list of what was used, what a cache miss cost, and receipts: the product's own commands over a real service.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { text } from "../sim/script.ts";
import { english } from "../support/english.ts";
import { type CountingDesk, openCountingDesk } from "./support/counting-desk.ts";

const prices = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };

describe("usage and receipts", function () {
  this.timeout(120_000);
  let desk: CountingDesk;
  beforeEach(async () => {
    desk = await openCountingDesk();
  });
  afterEach(() => desk.close());

  it("what was used outlives its window, and is exported as it was reported", async () => {
    await desk.ask("one");
    await desk.ask("two");
    await desk.reopen();
    const rows = await desk.service.ledgers.usage.since(0);
    assert.equal(rows.length, 2);
    desk.set.pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    assert(!("message" in desk.service.pricing()));
    assert.match(desk.service.price(rows)?.text ?? "", /^€0\.00/);
    desk.set.node = { kind: "today", id: "today", label: "", rows };
    const picked = desk.usage()["patchbay.usage.export"](desk.set.node);
    while (desk.saved.size === 0)
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await picked;
    const csv = desk.saved.get("patchbay-usage.csv") ?? "";
    assert.equal(csv.trimEnd().split("\r\n").length, 3);
    assert.doesNotMatch(csv, /An answer|\bone\b/);
    desk.set.pricing = { currency: "EUR", perMillion: { "svc-k3": { input: -1 } } };
    const read = desk.service.pricing();
    assert("message" in read && /cannot be used/.test(english(read.message)));
    assert.equal(desk.service.price(rows), undefined);
  });

  it("a cache miss is explained from what went out, and a lifetime advised from the pauses that were made", async () => {
    assert.throws(() => desk.usage()["patchbay.usage.explainMiss"](undefined), /no usage yet/);
    await assert.rejects(async () => desk.usage()["patchbay.usage.tierAdvice"](), /Not enough usage yet/);
    await desk.ask("one");
    assert.match(desk.usage()["patchbay.usage.explainMiss"](undefined), /no earlier request in this window/);
    await desk.ask("two");
    const [first] = desk.service.surfaces.session.state.turns;
    void desk.service.surfaces.session.again("regenerate", first?.id ?? "");
    desk.sim.reply(text("Again."));
    await desk.service.registry.close();
    await desk.usage()["patchbay.usage.tierAdvice"]();
    assert.match(desk.shown[0]?.text ?? "", /To compare costs/);
    desk.set.pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    await desk.usage()["patchbay.usage.tierAdvice"]();
    assert.match(desk.shown[1]?.text ?? "", /€/);
  });

  it("receipts of turns, counts and deletions are exported as recorded; their digests are computed again while the bytes are here", async () => {
    await assert.rejects(async () => desk.receipts()["patchbay.receipts.export"](), /There are no receipts/);
    await desk.ask("one");
    desk.service.surfaces.session.draft.write("Count this.");
    await desk.estimates().counted.draft();
    await desk.service.client.deleteFile("file-1", new AbortController().signal);
    await desk.receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(desk.shown[0]?.text.match(/\| same \| same \|/g)?.length, 3);
    await desk.receipts()["patchbay.receipts.export"]();
    const lines = (desk.saved.get("patchbay-receipts.jsonl") ?? "")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ operation, request }) => [operation, request]),
      [
        ["POST /v1/responses", 1],
        ["POST /v1/tokenizers/estimate-token-count", undefined],
        ["DELETE /v1/files/file-1", undefined],
      ],
    );
    for (const { status } of lines) assert.match(status, /recorded, not verified/);
    await desk.reopen();
    await desk.receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(desk.shown[1]?.text.match(/\| bytes not available \| bytes not available \|/g)?.length, 3);
  });
});
