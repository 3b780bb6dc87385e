// Counting what is selected, written and attached: the product's own commands over a real service, in the real editor.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import { countSelections } from "../../src/usage/editor/count-tokens.ts";
import { featuresOf } from "../../src/usage/local-estimate.ts";
import { countingForEach } from "./support/counting-fixture.ts";
import { put, show, uriOf } from "./support/files.ts";
import { heard, noEditor, showEditor } from "./support/heard.ts";

describe("the token counter", () => {
  const fixture = countingForEach();

  it("counts a selection of five megabytes in pieces, and leaves time for other work", async () => {
    const line = "const total = lines.reduce((sum, line) => sum + line.cents * line.quantity, 0);\n";
    const whole = line.repeat(65_000);
    const document = await vscode.workspace.openTextDocument({ content: whole });
    const editor = await showEditor(document);
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    const all = new vscode.Selection(0, 0, 65_000, 0);
    editor.selection = all;
    await fixture.counted(all);
    clearInterval(clock);
    const features = fixture.selection.current?.features;
    assert(features !== undefined);
    assert.deepEqual([...features], [...featuresOf({ texts: [whole], messages: 1 })]);
    assert(turns > 5, `${turns} turns`);
  });

  it("counts the draft, the selection and the file with the service on request, once each", async () => {
    await put("tokens/b.txt", "one two three\nfour five six\n");
    const editor = await show("tokens/b.txt");
    await assert.rejects(async () => fixture.estimates().counted.draft(), /Nothing is written/);
    await assert.rejects(async () => fixture.estimates().counted.selection(), /Select something/);
    fixture.service.surfaces.session.draft.write("How does this work?");
    assert.equal(typeof (await fixture.estimates().counted.draft()), "number");
    const some = new vscode.Selection(0, 0, 0, 5);
    editor.selection = some;
    await fixture.counted(some);
    const tokens = await fixture.estimates().counted.selection();
    assert.equal(fixture.selection.current?.counted.get("svc-k3"), tokens);
    await fixture.estimates().counted.file();
    await fixture.estimates().counted.file();
    const bodies = fixture.sim.requests.map(({ path, raw }) => [path, raw.toString()]);
    assert.equal(bodies.length, 3);
    for (const [path] of bodies) assert.match(String(path), /estimate-token-count$/);
    assert.match(bodies[1]?.[1] ?? "", /one two three/);
    assert.doesNotMatch(bodies[1]?.[1] ?? "", /four five/);
    assert.match(bodies[2]?.[1] ?? "", /four five/);
  });

  it("counts selections with the service in auto mode, once each, and no file that is never sent", async () => {
    await put("tokens/b.txt", "one two three\nfour five six\n");
    await put("tokens/selected/.env", "TOKEN=four\n");
    let editor = await show("tokens/b.txt");
    const counting = countSelections({ ...fixture.estimating(), pause: 1 });
    const select = async (...place: [number, number, number, number]) => {
      const some = new vscode.Selection(...place);
      editor.selection = some;
      await fixture.counted(some);
    };
    await select(0, 0, 0, 5);
    assert.equal(fixture.sim.requests.length, 0, "only where a person wants that");
    fixture.set.mode = "auto";
    await select(1, 0, 1, 4);
    const known = () => fixture.selection.current?.counted.get("svc-k3");
    const tokens = await heard(known, fixture.selection.onDidChange);
    assert.equal(typeof tokens, "number");
    await select(0, 0, 0, 4);
    await heard(known, fixture.selection.onDidChange);
    await select(1, 0, 1, 4);
    assert.equal(await heard(known, fixture.selection.onDidChange), tokens);
    assert.equal(fixture.sim.requests.length, 2, "the same text is asked once");
    editor = await show("tokens/selected/.env");
    await select(0, 0, 0, 5);
    // What was shown before is an editor of its own, which shows nothing any more.
    editor = await show("tokens/b.txt");
    await select(1, 0, 1, 9);
    const sent = () => fixture.sim.requests.map(({ raw }) => raw.toString());
    // What was selected afterwards is counted: by then the file before would have been, too.
    await heard(
      () => sent().some((body) => body.includes("four five")) || undefined,
      fixture.selection.onDidChange,
    );
    assert.doesNotMatch(sent().join(), /TOKEN/);
    counting.dispose();
  });

  it("lists what can be counted, or counts the file that was chosen in the explorer", async () => {
    const { showQuickPick } = vscode.window;
    const rows: string[][] = [];
    const look = async (items: readonly vscode.QuickPickItem[]) => {
      rows.push(items.map(({ label }) => label.replace(/^\$\([\w-]+\) /, "")));
      return undefined;
    };
    vscode.window.showQuickPick = look as never;
    const count = () => fixture.estimates().commands["patchbay.estimate.count"];
    try {
      await noEditor();
      await assert.rejects(count()(), /Open a file or write a question/);
      await put("tokens/b.txt", "one two three\n");
      const editor = await show("tokens/b.txt");
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await count()();
      editor.selection = new vscode.Selection(0, 0, 0, 5);
      fixture.service.surfaces.session.draft.write("How does this work?");
      await count()();
      assert.deepEqual(rows, [
        ["File", "Compare Models…"],
        ["Selection", "File", "Draft", "Next Request", "Compare Models…"],
      ]);
      const { uri } = editor.document;
      await count()(uri, [uri]);
      assert.equal(rows.length, 2);
      assert.match(fixture.sim.requests.at(-1)?.raw.toString() ?? "", /one two three/);
      // Of a tab whose file is gone nothing can be counted, and no other file is sent in its place.
      const gone = uriOf("tokens/gone.txt");
      await count()(gone, [gone]);
      assert.equal(fixture.sim.requests.length, 1);
    } finally {
      vscode.window.showQuickPick = showQuickPick;
    }
  });

  it("counts nothing of a file on the ignore list, and nothing at all when counting is off", async () => {
    await put("tokens/.env", "CANARY=secret-of-the-file\n");
    const editor = await show("tokens/.env");
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    await fixture.counted(editor.selection);
    await assert.rejects(async () => fixture.estimates().counted.file(), /\.env/);
    await assert.rejects(async () => fixture.estimates().counted.selection(), /\.env/);
    // Nor of one that lies in no folder of the workspace.
    const outside = vscode.Uri.file(join(fixture.folder, ".env"));
    await vscode.workspace.fs.writeFile(outside, Buffer.from("CANARY=secret-of-the-file\n"));
    await showEditor(outside);
    await assert.rejects(async () => fixture.estimates().counted.file(), /\.env/);
    await assert.rejects(async () => fixture.estimates().counted.file(outside), /\.env/);
    fixture.set.mode = "local";
    fixture.service.surfaces.session.draft.write("Hello");
    for (const id of ["draft", "compare"] as const)
      await assert.rejects(async () => fixture.estimates().counted[id](), /turned off/);
    await assert.rejects(fixture.estimates().commands["patchbay.estimate.count"](), /turned off/);
    assert.equal(fixture.sim.requests.length, 0);
  });

  it("compares models after consent, with one request for each", async () => {
    fixture.service.surfaces.session.draft.write("How does this work?");
    fixture.set.agreed = false;
    await fixture.estimates().counted.compare();
    assert.match(fixture.questions[0] ?? "", /4 requests, one for each model, each with the draft/);
    assert.equal(fixture.sim.requests.length, 0);
    fixture.set.agreed = true;
    await fixture.estimates().counted.compare();
    assert.deepEqual(
      fixture.sim.requests.map(({ body }) => body["model"]),
      ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"],
    );
    assert.equal(fixture.shown[0]?.text.match(/^\| K/gm)?.length, 4);
  });

  it("counts each attachment, and notes that the parts may not add up", async () => {
    fixture.service.surfaces.session.draft.write("What are these?");
    const looked = () => fixture.service.surfaces.session.draft.parts.length === 2;
    const both = new Promise<void>((resolve) => {
      const listening = fixture.service.surfaces.session.onChange(() => {
        if (!looked()) return;
        listening.dispose();
        resolve();
      });
    });
    for (const name of ["first", "second"])
      fixture.service.surfaces.session.draft.attach({ kind: "text", name, text: `${name} text` });
    await both;
    await fixture.estimates().counted.parts();
    assert.equal(fixture.sim.requests.length, 3);
    assert.match(
      fixture.shown[0]?.text ?? "",
      /first \| \d+ \|\n\| second \| \d+ \|\n\| The whole draft \| \d+/,
    );
    assert.match(fixture.shown[0]?.text ?? "", /may not add up/);
  });
});
