// Counting what is selected, written and attached: the product's own commands over a real service, in the real editor.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import { featuresOf } from "../../src/core/tokens/local-estimate.ts";
import { type CountingDesk, openCountingDesk } from "./support/counting-desk.ts";
import { put, show } from "./support/files.ts";
import { showEditor } from "./support/heard.ts";

describe("counting tokens", function () {
  this.timeout(120_000);
  let desk: CountingDesk;
  beforeEach(async () => {
    desk = await openCountingDesk();
  });
  afterEach(() => desk.close());

  it("a selection of five megabytes is counted in pieces as if it were one, while others have their turn", async () => {
    const line = "const total = lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);\n";
    const whole = line.repeat(65_000);
    const document = await vscode.workspace.openTextDocument({ content: whole });
    const editor = await showEditor(document);
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    const all = new vscode.Selection(0, 0, 65_000, 0);
    editor.selection = all;
    await desk.counted(all);
    clearInterval(clock);
    const features = desk.selection.current?.features;
    assert(features !== undefined);
    assert.deepEqual([...features], [...featuresOf({ texts: [whole], messages: 1 })]);
    assert(turns > 5, `${turns} turns`);
  });

  it("the draft, the selection and the file are counted by the service when a person asks, once each", async () => {
    await put("tokens/b.txt", "one two three\nfour five six\n");
    const editor = await show("tokens/b.txt");
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.draft"](), /Nothing is written/);
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.selection"](), /Select something/);
    desk.service.surfaces.session.draft.write("How does this work?");
    assert.equal(typeof (await desk.estimates()["patchbay.estimate.draft"]()), "number");
    const some = new vscode.Selection(0, 0, 0, 5);
    editor.selection = some;
    await desk.counted(some);
    const tokens = await desk.estimates()["patchbay.estimate.selection"]();
    assert.equal(desk.selection.current?.counted.get("svc-k3"), tokens);
    await desk.estimates()["patchbay.estimate.file"]();
    await desk.estimates()["patchbay.estimate.file"]();
    const bodies = desk.sim.requests.map(({ path, raw }) => [path, raw.toString()]);
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
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.file"](), /\.env/);
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.selection"](), /\.env/);
    // Nor of one that lies in no folder of the workspace.
    const outside = vscode.Uri.file(join(desk.folder, ".env"));
    await vscode.workspace.fs.writeFile(outside, Buffer.from("CANARY=secret-of-the-file\n"));
    await showEditor(outside);
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.file"](), /\.env/);
    await assert.rejects(async () => desk.estimates()["patchbay.estimate.file"](outside), /\.env/);
    desk.set.mode = "local";
    desk.service.surfaces.session.draft.write("Hello");
    for (const id of ["patchbay.estimate.draft", "patchbay.estimate.compare"] as const)
      await assert.rejects(async () => desk.estimates()[id](), /switched off/);
    assert.equal(desk.sim.requests.length, 0);
  });

  it("comparing says what it sends, sends nothing after a no, and one request for each model after a yes", async () => {
    desk.service.surfaces.session.draft.write("How does this work?");
    desk.set.agreed = false;
    await desk.estimates()["patchbay.estimate.compare"]();
    assert.match(desk.questions[0] ?? "", /4 requests, one for each model, each with the draft/);
    assert.equal(desk.sim.requests.length, 0);
    desk.set.agreed = true;
    await desk.estimates()["patchbay.estimate.compare"]();
    assert.deepEqual(
      desk.sim.requests.map(({ body }) => body["model"]),
      ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"],
    );
    assert.equal(desk.shown[0]?.text.match(/^\| K/gm)?.length, 4);
  });

  it("each attachment is counted by itself, and the table says that the parts may not add up", async () => {
    desk.service.surfaces.session.draft.write("What are these?");
    const looked = () => desk.service.surfaces.session.draft.parts.length === 2;
    const both = new Promise<void>((resolve) => {
      const listening = desk.service.surfaces.session.onChange(() => {
        if (!looked()) return;
        listening.dispose();
        resolve();
      });
    });
    for (const name of ["first", "second"])
      desk.service.surfaces.session.draft.attach({ kind: "text", name, text: `${name} text` });
    await both;
    await desk.estimates()["patchbay.estimate.parts"]();
    assert.equal(desk.sim.requests.length, 3);
    assert.match(
      desk.shown[0]?.text ?? "",
      /first \| \d+ \|\n\| second \| \d+ \|\n\| The whole draft \| \d+/,
    );
    assert.match(desk.shown[0]?.text ?? "", /may not add up/);
  });
});
