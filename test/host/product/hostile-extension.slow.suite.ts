// Another extension calls everything we contribute with whatever it likes: nothing comes back, nothing is written,
// nothing is sent, and no call fails in a way that would show it something.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { closeAll, put, tree, uriOf } from "../support/files.ts";

/** These open windows, tabs and new documents and read no argument at all; fifty of each prove nothing more. */
const untried = new Set([
  "patchbay.chat.openInEditor",
  "patchbay.chat.openInNewWindow",
  "patchbay.start.sample",
]);

/** The clipboard is what these are for; what they put there never holds a key. */
const copies = /\.copy\w+$/;

/** What could be taken for an argument of ours. */
const likely = (): unknown[] => {
  const uri = uriOf("hostile/kept.txt");
  const trap = new Proxy({}, { get: () => "patchbay", has: () => true });
  const hunk = { id: "hostile/kept.txt#1", status: "pending", added: 1, removed: 1 };
  const file = { path: "hostile/kept.txt", change: "update", added: 1, removed: 1, hunks: [hunk] };
  const patch = { call: "call_1", turn: "1", turnNumber: 1, prompt: "", status: "proposed", files: [file] };
  return [
    "call_1",
    trap,
    uri,
    vscode.Uri.file("/etc/passwd"),
    vscode.Uri.parse("patchbay-review:/hostile/kept.txt?call_1"),
    new vscode.Range(0, 0, 10, 0),
    { call: "call_1", hunk: "hostile/kept.txt#1" },
    { kind: "turn", patches: [patch] },
    { kind: "file", patch, file },
    { kind: "hunk", patch, file, hunk },
    { document: { uri, getText: () => "text", languageId: "text" }, range: new vscode.Range(0, 0, 1, 0) },
    { summary: { id: "../../../..", title: "x", turns: 1 } },
  ];
};

/** What nobody means. */
const strange = (): unknown[] => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  return [
    undefined,
    null,
    true,
    false,
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10n ** 30n,
    "",
    "selected",
    "key",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "command:workbench.action.quit",
    "http://127.0.0.1:1/v1",
    "\u0000\u202E\uD800",
    "x".repeat(1_000_000),
    Symbol("patchbay"),
    () => "called",
    async () => "called",
    class Hostile {},
    [],
    [[[[]]]],
    ["selected"],
    new Array(10_000).fill("selected"),
    {},
    circle,
    Object.create(null),
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    new Date(0),
    /(a+)+$/,
    new Map([["call", "call_1"]]),
    new Set(["call_1"]),
    new Error("patchbay"),
    new Uint8Array(1000),
    Promise.resolve({ call: "call_1" }),
    Promise.reject(new Error("hostile")).catch(() => undefined),
  ];
};

/**
 * The likely ones go to every command. Of the strange ones each command gets some, in turn, and so each of them comes
 * to a dozen commands; PATCHBAY_LONG gives all of them to all.
 */
const stride = process.env["PATCHBAY_LONG"] === undefined ? 8 : 1;

const contributed = (): string[] => {
  const { contributes } = vscode.extensions.getExtension("patchbay.patchbay")?.packageJSON as {
    contributes: { commands: { command: string }[] };
  };
  return contributes.commands.map(({ command }) => command).filter((command) => !untried.has(command));
};

/** So often whatever asks is closed, before a command that has not come back is told apart from a slow one. */
const maxRounds = 20_000;
/** So many calls of a command at the same time. What they take together counts as one stretch of the host. */
const atOnce = 5;

const groupsOf = <T>(size: number, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

describe("a hostile extension", () => {
  // What does the work is loaded by the first command of a window, whoever calls it.
  before(async () => {
    await vscode.commands.executeCommand("patchbay.review.next");
  });
  afterEach(closeAll);

  it("gets no API from Patchbay", async () => {
    const extension = vscode.extensions.getExtension("patchbay.patchbay");
    await extension?.activate();
    assert.deepEqual([extension?.isActive, extension?.exports], [true, undefined]);
  });

  it("gets no result and changes nothing by calling every command with fifty shapes of argument", async function () {
    this.timeout(500_000);
    await put("hostile/kept.txt", "one\ntwo\n");
    const [known, unknown] = [likely(), strange()];
    assert(known.length + unknown.length >= 50, `${known.length + unknown.length} shapes`);
    const [files, settings] = [
      await tree("."),
      JSON.stringify(vscode.workspace.getConfiguration("patchbay")),
    ];
    const clipboard = await vscode.env.clipboard.readText();
    const answers: unknown[] = [];
    for (const [number, command] of contributed().entries()) {
      const some = unknown.filter((_, at) => (at + number) % stride === 0);
      for (const shapes of groupsOf(atOnce, [...known, ...some])) {
        const calls = shapes.map((shape) =>
          vscode.commands.executeCommand(command, shape, shape).then(
            (answer) => answer !== undefined && answers.push([command, answer]),
            (error: unknown) => answers.push([command, String(error)]),
          ),
        );
        // Whatever asks a person is closed unanswered, until every call has come back.
        let waiting = true;
        void Promise.all(calls).then(() => {
          waiting = false;
        });
        for (let round = 0; waiting && round < maxRounds; round += 1) {
          await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
          await vscode.commands.executeCommand("notifications.clearAll");
        }
        if (waiting) answers.push([command, "did not come back"]);
      }
      if (!copies.test(command)) continue;
      assert.doesNotMatch(await vscode.env.clipboard.readText(), /bearer (?!\$PATCHBAY_KEY)/i);
      await vscode.env.clipboard.writeText(clipboard);
    }
    assert.deepEqual(answers, []);
    assert.deepEqual(await tree("."), files);
    assert.equal(JSON.stringify(vscode.workspace.getConfiguration("patchbay")), settings);
    assert.equal(await vscode.env.clipboard.readText(), clipboard);
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ fileName }) => fileName),
      [],
    );
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});
