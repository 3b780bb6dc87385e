// Counting, the list of what was used, receipts: the product's own commands over a real service, in the real editor.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { featuresOf } from "../../src/core/tokens/local-estimate.ts";
import type { Service } from "../../src/service.ts";
import { createSelectionCount, type SelectionCount } from "../../src/shell/status/selection-count.ts";
import { createEstimateCommands } from "../../src/shell/tokens/estimate-commands.ts";
import { createReceiptCommands } from "../../src/shell/usage/receipt-commands.ts";
import { createUsageCommands } from "../../src/shell/usage/usage-commands.ts";
import type { UsageNode } from "../../src/shell/usage/usage-nodes.ts";
import { text } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { openWholeService } from "../support/whole-service.ts";
import { closeAll, put, show, testWorkspace } from "./support/files.ts";

const nonceHeader = "X-Patchbay-Nonce";
const prices = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };

describe("tokens, usage and receipts", function () {
  this.timeout(120_000);
  let sim: Simulator;
  let service: Service;
  let selection: SelectionCount;
  let folder: string;
  let mode: "local" | "onDemand" | "auto";
  let agreed: boolean;
  let questions: string[];
  let shown: { title: string; text: string }[];
  let saved: Map<string, string>;
  let pricing: unknown;
  /** What a command was called on. */
  let node: UsageNode | undefined;

  beforeEach(async () => {
    sim = await startSimulator({ nonceHeader });
    folder = mkdtempSync(join(tmpdir(), "patchbay-tokens-"));
    [mode, agreed, questions, shown, saved] = ["onDemand", true, [], [], new Map()];
    [pricing, node] = [null, undefined];
    service = await openService();
    selection = createSelectionCount();
  });

  afterEach(async () => {
    selection.dispose();
    await service.close();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
    await closeAll();
  });

  const openService = () =>
    openWholeService({
      folder,
      sim,
      workspace: testWorkspace(),
      settings: {
        service: () => ({ nonceHeader }),
        estimateMode: () => mode,
        pricing: () => pricing,
      },
    });

  const documents = {
    show: async (title: string, _: string, body: string) => void shown.push({ title, text: body }),
    dispose: () => undefined,
  };
  const save = async (name: string, bytes: Uint8Array) => void saved.set(name, Buffer.from(bytes).toString());
  const estimates = () =>
    createEstimateCommands({
      ...service,
      documents,
      selection,
      mode: () => mode,
      async agree(question, detail) {
        questions.push(`${question} ${detail}`);
        return agreed;
      },
    });
  const usage = () => createUsageCommands({ ...service, documents, save, nodeOf: () => node, now: Date.now });
  const receipts = () =>
    createReceiptCommands({
      ...service,
      bytes: service.receiptBytes,
      documents,
      save,
      nodeOf: () => node,
    });

  async function ask(prompt: string): Promise<void> {
    sim.reply(text(`An answer to ${prompt}`));
    await service.assistant.send({ prompt });
  }

  const selected = () =>
    new Promise<void>((resolve) => {
      const listening = selection.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });

  it("moving the cursor and selecting is counted here, and makes no request, for a minute at twenty a second", async () => {
    // Even where counting unasked is allowed: that is about what is written to be sent.
    mode = "auto";
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at} has a few words of its own`);
    await put("tokens/a.txt", lines.join("\n"));
    const editor = await show("tokens/a.txt");
    let told = selected();
    let heard = 0;
    const hearing = vscode.window.onDidChangeTextEditorSelection(() => {
      heard += 1;
    });
    for (let second = 0; second < 60; second += 1)
      for (let move = 0; move < 20; move += 1) {
        const line = (second * 7 + move) % 60;
        editor.selection = new vscode.Selection(line, 0, line, move % 2 === 0 ? 0 : move);
        // Every one of them arrives: without a pause the editor hears of the last alone.
        await vscode.commands.executeCommand("cursorRight");
      }
    editor.selection = new vscode.Selection(0, 0, 1, 9);
    await told;
    hearing.dispose();
    assert(heard >= 1200, `${heard} were heard of`);
    while (selection.current === undefined) await selected();
    const { tokens } = service.counts.aboutFeatures("svc-k3", selection.current.features);
    assert(tokens > 4 && tokens < 20, String(tokens));
    told = selected();
    editor.selection = new vscode.Selection(0, 3, 0, 3);
    await told;
    assert.equal(selection.current, undefined);
    assert.equal(sim.requests.length, 0);
  });

  it("a selection of five megabytes is counted in pieces as if it were one, while others have their turn", async () => {
    const line = "const total = lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);\n";
    const whole = line.repeat(65_000);
    const document = await vscode.workspace.openTextDocument({ content: whole });
    const editor = await vscode.window.showTextDocument(document);
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    const told = selected();
    editor.selection = new vscode.Selection(0, 0, 65_000, 0);
    await told;
    clearInterval(clock);
    const features = selection.current?.features;
    assert(features !== undefined);
    assert.deepEqual([...features], [...featuresOf({ texts: [whole], messages: 1 })]);
    assert(turns > 5, `${turns} turns`);
  });

  it("the draft, the selection and the file are counted by the service when a person asks, once each", async () => {
    await put("tokens/b.txt", "one two three\nfour five six\n");
    const editor = await show("tokens/b.txt");
    await assert.rejects(async () => estimates()["patchbay.estimate.draft"](), /Nothing is written/);
    await assert.rejects(async () => estimates()["patchbay.estimate.selection"](), /Select something/);
    service.assistant.setDraft("How does this work?");
    assert.equal(typeof (await estimates()["patchbay.estimate.draft"]()), "number");
    const told = selected();
    editor.selection = new vscode.Selection(0, 0, 0, 5);
    await told;
    const tokens = await estimates()["patchbay.estimate.selection"]();
    assert.equal(selection.current?.counted.get("svc-k3"), tokens);
    await estimates()["patchbay.estimate.file"]();
    await estimates()["patchbay.estimate.file"]();
    const bodies = sim.requests.map(({ path, raw }) => [path, raw.toString()]);
    assert.equal(bodies.length, 3);
    for (const [path] of bodies) assert.match(String(path), /estimate-token-count$/);
    assert.match(bodies[1]?.[1] ?? "", /one two three/);
    assert.doesNotMatch(bodies[1]?.[1] ?? "", /four five/);
    assert.match(bodies[2]?.[1] ?? "", /four five/);
  });

  it("nothing of a file on the ignore list is counted, and nothing at all where counting is switched off", async () => {
    await put("tokens/.env", "CANARY=secret-of-the-file\n");
    const editor = await show("tokens/.env");
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    await assert.rejects(async () => estimates()["patchbay.estimate.file"](), /\.env/);
    await assert.rejects(async () => estimates()["patchbay.estimate.selection"](), /\.env/);
    // Nor of one that lies in no folder of the workspace.
    const outside = vscode.Uri.file(join(folder, ".env"));
    await vscode.workspace.fs.writeFile(outside, Buffer.from("CANARY=secret-of-the-file\n"));
    await vscode.window.showTextDocument(outside);
    await assert.rejects(async () => estimates()["patchbay.estimate.file"](), /\.env/);
    await assert.rejects(async () => estimates()["patchbay.estimate.file"](outside), /\.env/);
    mode = "local";
    service.assistant.setDraft("Hello");
    for (const id of ["patchbay.estimate.draft", "patchbay.estimate.compare"] as const)
      await assert.rejects(async () => estimates()[id](), /switched off/);
    assert.equal(sim.requests.length, 0);
  });

  it("comparing says what it sends, sends nothing after a no, and one request for each model after a yes", async () => {
    service.assistant.setDraft("How does this work?");
    agreed = false;
    await estimates()["patchbay.estimate.compare"]();
    assert.match(questions[0] ?? "", /4 requests, one for each model, each with the draft/);
    assert.equal(sim.requests.length, 0);
    agreed = true;
    await estimates()["patchbay.estimate.compare"]();
    assert.deepEqual(
      sim.requests.map(({ body }) => body["model"]),
      ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"],
    );
    assert.equal(shown[0]?.text.match(/^\| K/gm)?.length, 4);
  });

  it("each attachment is counted by itself, and the table says that the parts may not add up", async () => {
    service.assistant.setDraft("What are these?");
    const looked = () => service.assistant.draftParts.length === 2;
    const both = new Promise<void>((resolve) => {
      const listening = service.assistant.onChange(() => {
        if (!looked()) return;
        listening.dispose();
        resolve();
      });
    });
    for (const name of ["first", "second"])
      service.assistant.attach({ kind: "text", name, text: `${name} text` });
    await both;
    await estimates()["patchbay.estimate.parts"]();
    assert.equal(sim.requests.length, 3);
    assert.match(shown[0]?.text ?? "", /first \| \d+ \|\n\| second \| \d+ \|\n\| The whole draft \| \d+/);
    assert.match(shown[0]?.text ?? "", /may not add up/);
  });

  it("what was used outlives its window, and is exported as it was reported", async () => {
    await ask("one");
    await ask("two");
    await service.close();
    service = await openService();
    const rows = await service.ledgers.usage.since(0);
    assert.equal(rows.length, 2);
    pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    assert(!("message" in service.pricing()));
    assert.match(service.price(rows)?.text ?? "", /^€0\.00/);
    node = { kind: "today", id: "today", label: "", rows };
    const picked = usage()["patchbay.usage.export"](node);
    while (saved.size === 0)
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await picked;
    const csv = saved.get("patchbay-usage.csv") ?? "";
    assert.equal(csv.trimEnd().split("\r\n").length, 3);
    assert.doesNotMatch(csv, /An answer|\bone\b/);
    pricing = { currency: "EUR", perMillion: { "svc-k3": { input: -1 } } };
    const read = service.pricing();
    assert("message" in read && /cannot be used/.test(read.message));
    assert.equal(service.price(rows), undefined);
  });

  it("a cache miss is explained from what went out, and a lifetime advised from the pauses that were made", async () => {
    assert.throws(() => usage()["patchbay.usage.explainMiss"](undefined), /no figures yet/);
    await assert.rejects(async () => usage()["patchbay.usage.tierAdvice"](), /Too little is known/);
    await ask("one");
    assert.match(usage()["patchbay.usage.explainMiss"](undefined), /nothing to compare it with/);
    await ask("two");
    const [first] = service.assistant.conversation.turns;
    service.assistant.regenerate(first?.id ?? "");
    sim.reply(text("Again."));
    await service.assistant.close();
    await usage()["patchbay.usage.tierAdvice"]();
    assert.match(shown[0]?.text ?? "", /depends on prices/);
    pricing = { currency: "EUR", perMillion: { "svc-k3": prices } };
    await usage()["patchbay.usage.tierAdvice"]();
    assert.match(shown[1]?.text ?? "", /€/);
  });

  it("receipts of turns, counts and deletions are exported as recorded; their digests are computed again while the bytes are here", async () => {
    await assert.rejects(async () => receipts()["patchbay.receipts.export"](), /There are no receipts/);
    await ask("one");
    service.assistant.setDraft("Count this.");
    await estimates()["patchbay.estimate.draft"]();
    await service.client.deleteFile("file-1", new AbortController().signal);
    await receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(shown[0]?.text.match(/\| same \| same \|/g)?.length, 3);
    await receipts()["patchbay.receipts.export"]();
    const lines = (saved.get("patchbay-receipts.jsonl") ?? "")
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
    await service.close();
    service = await openService();
    await receipts()["patchbay.receipts.recompute"](undefined);
    assert.equal(shown[1]?.text.match(/\| bytes not kept \| bytes not kept \|/g)?.length, 3);
  });
});
