// Tools of another extension (test/fixtures/tool-extension): off until they are chosen for a conversation, each with
// its own permission, and whatever they answer is something for the model to read.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createChooseTools, rowsOf } from "../../src/tools/editor/choose-tools.ts";
import { answerOf } from "../../src/tools/editor/tool-result.ts";
import { createHostTools } from "../../src/tools/editor/vscode-tools.ts";
import { silentLog } from "../../src/util/log.ts";
import { call, text } from "../sim/script.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const owner = "test_tools";
const hostTools = createHostTools(silentLog);

describe("tools of other extensions", () => {
  before(async () => {
    await vscode.extensions.getExtension("test.tools")?.activate();
  });
  const review = reviewForEach();

  const offered = () => JSON.stringify(review.sim.requests.at(-1)?.body["tools"]);
  const outputs = () =>
    (review.sim.requests.at(-1)?.body["input"] as { output?: string }[]).flatMap(
      ({ output }) => output ?? [],
    );
  /** Has the model call one of them, and answers with what it was told. */
  const run = async (name: string, input: Record<string, string | number>): Promise<string | undefined> => {
    review.sim.reply(call(name, input, { namespace: owner }));
    review.sim.reply(text("I see."));
    await review.session.send({ prompt: "Use it." });
    return outputs().at(-1);
  };
  const choose = (permission: "auto" | "ask", ...names: string[]) =>
    review.session.choices.chooseTools(
      Object.fromEntries(names.map((name) => [`${owner}/${name}`, permission])),
    );

  it("have their owner as namespace and valid names, and exclude Patchbay's own tool", () => {
    const mine = hostTools().filter(({ namespace }) => namespace === owner);
    assert.deepEqual(mine.map(({ name }) => name).sort(), [
      "test_echo",
      "test_fail",
      "test_flood",
      "test_silent",
      "test_strange",
    ]);
    for (const { namespace, name } of hostTools())
      assert.match(`${namespace}__${name}`, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(mine.find(({ name }) => name === "test_echo")?.description, "Says the same again.\\u{200B}");
    assert(hostTools().every(({ name }) => name !== "patchbay_countTokens"));
    // Its schema comes with a reference and a dialect.
    assert.deepEqual(mine.find(({ name }) => name === "test_echo")?.parameters, {
      type: "object",
      properties: { words: { type: "string" } },
      required: ["words"],
    });
  });

  it("are neither offered nor run until they are chosen", async () => {
    assert.match((await run("test_echo", { words: "hi" })) ?? "", /switched test_echo off/);
    assert.doesNotMatch(offered(), /test_echo|test_fail/);
  });

  it("run only when chosen, and stay in the tool list of the request when switched off later", async () => {
    review.sim.reply(text("Hello."));
    await review.session.send({ prompt: "Hello" });
    choose("auto", "test_echo");
    assert.equal(await run("test_echo", { words: "hi" }), "You said: hi");
    assert.match(offered(), /test_echo/);
    assert.doesNotMatch(offered(), /test_fail/);
    const before = offered();
    choose("auto");
    review.sim.reply(text("Still here."));
    await review.session.send({ prompt: "And now?" });
    assert.equal(offered(), before);
    assert.match((await run("test_echo", { words: "hi" })) ?? "", /switched test_echo off/);
  });

  it("ask each time unless they may run automatically", async () => {
    choose("ask", "test_echo");
    const asked = new Promise<string>((resolve) => {
      review.session.onEvent((event) => {
        if (event.type === "tool" && event.status === "asked") resolve(event.call);
      });
    });
    const told = run("test_echo", { words: "hi" });
    review.session.decide(await asked, { kind: "reject", reason: "not now" });
    assert.match((await told) ?? "", /declined this call\. They said: not now/);
  });

  it("report failures, oversized and unreadable results to the model", async () => {
    choose("auto", "test_fail", "test_flood", "test_strange", "test_echo");
    assert.match((await run("test_fail", {})) ?? "", /test_fail failed: .*there is nothing to see/);
    const flood = (await run("test_flood", {})) ?? "";
    assert(flood.length < 70_000, `${flood.length} characters`);
    assert.match(flood, /bytes are left out here/);
    // The oldest VS Code hands a result with an unreadable part on; later ones refuse all of it.
    const strange = (await run("test_strange", {})) ?? "";
    assert.match(
      strange,
      /^1\.10[45]\./.test(vscode.version) ? /test_strange failed|\bred\b/ : /test_strange failed/,
    );
    assert.doesNotMatch(strange, /<script>/);
    // What does not fit its schema is refused by VS Code itself.
    assert.match((await run("test_echo", { words: 7 })) ?? "", /test_echo failed|You said: 7/);
  });

  it("stop when the person stops the turn", async () => {
    choose("auto", "test_silent");
    review.sim.reply(call("test_silent", {}, { namespace: owner }));
    const running = new Promise<void>((resolve) => {
      review.session.onEvent((event) => {
        if (event.type === "tool" && event.status === "running") resolve();
      });
    });
    const turn = review.session.send({ prompt: "Wait for it." });
    await running;
    review.session.stop();
    assert.equal((await turn)?.status, "stopped");
  });

  it("are chosen in a list by owner, where Enter keeps the ticked ones", async () => {
    const tools = review.session.choices.otherTools.filter(({ namespace }) => namespace === owner);
    const rows = rowsOf(tools);
    assert.deepEqual([rows[0]?.label, rows[0]?.kind], [owner, vscode.QuickPickItemKind.Separator]);
    assert.deepEqual([rows[1]?.label, rows[1]?.description], ["test_echo", "asks each time"]);
    const drawing = { ...(tools[0] ?? assert.fail()), description: "Draws $(rocket)" };
    assert.equal(rowsOf([drawing])[1]?.detail, "Draws \\$(rocket)");
    choose("auto", "test_echo");
    let [done, asked] = [false, 0];
    const session = () =>
      asked++ === 0 ? review.session : assert.fail("Another conversation is shown by then.");
    const choosing = createChooseTools(session, {
      allowedFolders: [],
      askIn: async () => {},
    })().then(() => {
      done = true;
    });
    while (!done) {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    }
    await choosing;
    const now = review.session.choices.otherTools.filter(({ permission }) => permission !== "off");
    assert.deepEqual(
      now.map(({ name, permission }) => [name, permission]),
      [[`${owner}/test_echo`, "auto"]],
    );
  });

  it("are listed with the folders in which commands don't ask, where unticking one withdraws that", async () => {
    const { createQuickPick } = vscode.window;
    const withdrawn: string[] = [];
    let shown: readonly vscode.QuickPickItem[] = [];
    vscode.window.createQuickPick = (() => {
      const box = createQuickPick();
      const { show } = box;
      box.show = () => {
        shown = box.items;
        assert.equal(box.selectedItems.at(-1)?.label, "Commands in one", "what is allowed is ticked");
        box.selectedItems = box.selectedItems.slice(0, -1);
        show.call(box);
      };
      return box;
    }) as typeof createQuickPick;
    try {
      let done = false;
      const askIn = async (folder: string) => void withdrawn.push(folder);
      const allowed = { allowedFolders: ["two", "one"], askIn };
      const choosing = createChooseTools(() => review.session, allowed)().then(() => {
        done = true;
      });
      while (!done) await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      await choosing;
    } finally {
      vscode.window.createQuickPick = createQuickPick;
    }
    assert.deepEqual(
      shown.slice(-3).map(({ label, description }) => [label, description]),
      [
        ["Allowed in every conversation", undefined],
        ["Commands in two", "run without asking, in a sandbox"],
        ["Commands in one", "run without asking, in a sandbox"],
      ],
    );
    assert.deepEqual(withdrawn, ["one"]);
  });

  it("convert results of any shape to text and images", () => {
    const trap = new Proxy({}, { get: () => undefined });
    for (const result of [undefined, null, 1, "text", {}, { content: "text" }, { content: [null, 1, trap] }])
      assert.match(answerOf(result).output, /without an answer|left out/);
    const data = { mimeType: "application/json", data: Buffer.from('{"a":1}') };
    assert.deepEqual(answerOf({ content: [data] }), { output: '{"a":1}', images: [] });
    const picture = (bytes: number) => ({ mimeType: "image/png", data: new Uint8Array(bytes) });
    const { output, images } = answerOf({
      content: [...Array.from({ length: 9 }, () => picture(3)), picture(3)],
    });
    assert.deepEqual([images.length, images[0]], [8, "data:image/png;base64,AAAA"]);
    assert.match(output, /2 parts .* left out/);
    assert.match(answerOf({ content: [picture(9_000_000)] }).output, /1 part .* left out/);
    assert.equal(answerOf({ content: [{ ...picture(3), mimeType: "image/svg+xml" }] }).images.length, 0);
  });
});
