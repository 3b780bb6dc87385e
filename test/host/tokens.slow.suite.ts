// Counting what is selected, written and attached: the product's own commands over a real service, in the real editor.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import { featuresOf } from "../../src/core/tokens/local-estimate.ts";
import { countSelections } from "../../src/shell/tokens/count-selections.ts";
import { type CountingDesk, openCountingDesk } from "./support/counting-desk.ts";
import { put, show, uriOf } from "./support/files.ts";
import { heard, noEditor, showEditor } from "./support/heard.ts";

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
    await assert.rejects(async () => desk.estimates().counted.draft(), /Nothing is written/);
    await assert.rejects(async () => desk.estimates().counted.selection(), /Select something/);
    desk.service.surfaces.session.draft.write("How does this work?");
    assert.equal(typeof (await desk.estimates().counted.draft()), "number");
    const some = new vscode.Selection(0, 0, 0, 5);
    editor.selection = some;
    await desk.counted(some);
    const tokens = await desk.estimates().counted.selection();
    assert.equal(desk.selection.current?.counted.get("svc-k3"), tokens);
    await desk.estimates().counted.file();
    await desk.estimates().counted.file();
    const bodies = desk.sim.requests.map(({ path, raw }) => [path, raw.toString()]);
    assert.equal(bodies.length, 3);
    for (const [path] of bodies) assert.match(String(path), /estimate-token-count$/);
    assert.match(bodies[1]?.[1] ?? "", /one two three/);
    assert.doesNotMatch(bodies[1]?.[1] ?? "", /four five/);
    assert.match(bodies[2]?.[1] ?? "", /four five/);
  });

  it("a selection is counted by the service unasked where drafts are, once each, and no file that is never sent", async () => {
    await put("tokens/b.txt", "one two three\nfour five six\n");
    await put("tokens/selected/.env", "TOKEN=four\n");
    let editor = await show("tokens/b.txt");
    const counting = countSelections({ ...desk.estimating(), pause: 1 });
    const select = async (...place: [number, number, number, number]) => {
      const some = new vscode.Selection(...place);
      editor.selection = some;
      await desk.counted(some);
    };
    await select(0, 0, 0, 5);
    assert.equal(desk.sim.requests.length, 0, "only where a person wants that");
    desk.set.mode = "auto";
    await select(1, 0, 1, 4);
    const known = () => desk.selection.current?.counted.get("svc-k3");
    const tokens = await heard(known, desk.selection.onDidChange);
    assert.equal(typeof tokens, "number");
    await select(0, 0, 0, 4);
    await heard(known, desk.selection.onDidChange);
    await select(1, 0, 1, 4);
    assert.equal(await heard(known, desk.selection.onDidChange), tokens);
    assert.equal(desk.sim.requests.length, 2, "the same text is asked once");
    editor = await show("tokens/selected/.env");
    await select(0, 0, 0, 5);
    // What was shown before is an editor of its own, which shows nothing any more.
    editor = await show("tokens/b.txt");
    await select(1, 0, 1, 9);
    await heard(known, desk.selection.onDidChange);
    assert.doesNotMatch(desk.sim.requests.map(({ raw }) => raw.toString()).join(), /TOKEN/);
    counting.dispose();
  });

  it("one command lists what can be counted now; on a file of the explorer it counts that one", async () => {
    const { showQuickPick } = vscode.window;
    const rows: string[][] = [];
    const look = async (items: readonly vscode.QuickPickItem[]) => {
      rows.push(items.map(({ label }) => label.replace(/^\$\([\w-]+\) /, "")));
      return undefined;
    };
    vscode.window.showQuickPick = look as never;
    const count = () => desk.estimates().commands["patchbay.estimate.count"];
    try {
      await noEditor();
      await assert.rejects(count()(), /Open a file or write a question/);
      await put("tokens/b.txt", "one two three\n");
      const editor = await show("tokens/b.txt");
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await count()();
      editor.selection = new vscode.Selection(0, 0, 0, 5);
      desk.service.surfaces.session.draft.write("How does this work?");
      await count()();
      assert.deepEqual(rows, [
        ["File", "Compare Models…"],
        ["Selection", "File", "Draft", "Next Request", "Compare Models…"],
      ]);
      const { uri } = editor.document;
      await count()(uri, [uri]);
      assert.equal(rows.length, 2);
      assert.match(desk.sim.requests.at(-1)?.raw.toString() ?? "", /one two three/);
      // Of a tab whose file is gone nothing can be counted, and no other file is sent in its place.
      const gone = uriOf("tokens/gone.txt");
      await count()(gone, [gone]);
      assert.equal(desk.sim.requests.length, 1);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
    }
  });

  it("nothing of a file on the ignore list is counted, and nothing at all where counting is switched off", async () => {
    await put("tokens/.env", "CANARY=secret-of-the-file\n");
    const editor = await show("tokens/.env");
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    await desk.counted(editor.selection);
    await assert.rejects(async () => desk.estimates().counted.file(), /\.env/);
    await assert.rejects(async () => desk.estimates().counted.selection(), /\.env/);
    // Nor of one that lies in no folder of the workspace.
    const outside = vscode.Uri.file(join(desk.folder, ".env"));
    await vscode.workspace.fs.writeFile(outside, Buffer.from("CANARY=secret-of-the-file\n"));
    await showEditor(outside);
    await assert.rejects(async () => desk.estimates().counted.file(), /\.env/);
    await assert.rejects(async () => desk.estimates().counted.file(outside), /\.env/);
    desk.set.mode = "local";
    desk.service.surfaces.session.draft.write("Hello");
    for (const id of ["draft", "compare"] as const)
      await assert.rejects(async () => desk.estimates().counted[id](), /turned off/);
    await assert.rejects(desk.estimates().commands["patchbay.estimate.count"](), /turned off/);
    assert.equal(desk.sim.requests.length, 0);
  });

  it("comparing says what it sends, sends nothing after a no, and one request for each model after a yes", async () => {
    desk.service.surfaces.session.draft.write("How does this work?");
    desk.set.agreed = false;
    await desk.estimates().counted.compare();
    assert.match(desk.questions[0] ?? "", /4 requests, one for each model, each with the draft/);
    assert.equal(desk.sim.requests.length, 0);
    desk.set.agreed = true;
    await desk.estimates().counted.compare();
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
    await desk.estimates().counted.parts();
    assert.equal(desk.sim.requests.length, 3);
    assert.match(
      desk.shown[0]?.text ?? "",
      /first \| \d+ \|\n\| second \| \d+ \|\n\| The whole draft \| \d+/,
    );
    assert.match(desk.shown[0]?.text ?? "", /may not add up/);
  });
});
