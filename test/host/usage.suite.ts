// The list of what was used, what a cache miss cost, and receipts: the product's own commands over a real service.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { text } from "../sim/script.ts";
import { english } from "../support/english.ts";
import { countingForEach } from "./support/counting-fixture.ts";

const prices = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };

describe("usage and receipts", () => {
  const fixture = countingForEach();

  it("keep usage beyond its window, and export it as it was reported", async () => {
    await fixture.ask("one");
    await fixture.ask("two");
    await fixture.reopen();
    const rows = await fixture.service.ledgers.usage.since(0);
    assert.equal(rows.length, 2);
    fixture.set.pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    assert(!("message" in fixture.service.pricing()));
    assert.match(fixture.service.price(rows)?.text ?? "", /^€0\.0/);
    fixture.set.node = { kind: "today", id: "today", label: "", rows };
    const picked = fixture.usage()["patchbay.usage.export"](fixture.set.node);
    while (fixture.saved.size === 0)
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await picked;
    const csv = fixture.saved.get("patchbay-usage.csv") ?? "";
    assert.equal(csv.trimEnd().split("\r\n").length, 3);
    assert.doesNotMatch(csv, /An answer|\bone\b/);
    fixture.set.pricing = { currency: "EUR", perMillion: { "svc-k3": { input: -1 } } };
    const read = fixture.service.pricing();
    assert("message" in read && /cannot be used/.test(english(read.message)));
    assert.equal(fixture.service.price(rows), undefined);
  });

  it("explain a cache miss from the sent requests, and advise a cache lifetime", async () => {
    assert.throws(() => fixture.usage()["patchbay.usage.explainMiss"](undefined), /no usage yet/);
    await assert.rejects(async () => fixture.usage()["patchbay.usage.tierAdvice"](), /Not enough usage yet/);
    await fixture.ask("one");
    assert.match(
      fixture.usage()["patchbay.usage.explainMiss"](undefined),
      /no earlier request in this window/,
    );
    await fixture.ask("two");
    const [first] = fixture.service.surfaces.session.state.turns;
    void fixture.service.surfaces.session.retry("regenerate", first?.id ?? "");
    fixture.sim.reply(text("Again."));
    await fixture.service.registry.close();
    await fixture.usage()["patchbay.usage.tierAdvice"]();
    assert.match(fixture.shown[0]?.text ?? "", /To compare costs/);
    fixture.set.pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    await fixture.usage()["patchbay.usage.tierAdvice"]();
    assert.match(fixture.shown[1]?.text ?? "", /€/);
  });

  it("export receipts as recorded, and recompute their digests while the bytes are available", async () => {
    await assert.rejects(
      async () => fixture.receipts()["patchbay.receipts.export"](),
      /There are no receipts/,
    );
    await fixture.ask("one");
    fixture.service.surfaces.session.draft.write("Count this.");
    await fixture.estimates().counted.draft();
    await fixture.service.client.deleteFile("file-1", new AbortController().signal);
    await fixture.receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(fixture.shown[0]?.text.match(/\| same \| same \|/g)?.length, 3);
    await fixture.receipts()["patchbay.receipts.export"]();
    const lines = (fixture.saved.get("patchbay-receipts.jsonl") ?? "")
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
    await fixture.reopen();
    await fixture.receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(
      fixture.shown[1]?.text.match(/\| bytes not available \| bytes not available \|/g)?.length,
      3,
    );
  });
});
