// What a person lets be accepted by pattern, and all that waits for them in spite of it.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Check, Confinement } from "../../../src/checks/check.ts";
import type { Session } from "../../../src/session/session.ts";
import { silentLog } from "../../../src/util/log.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { patchCall, text } from "../../sim/script.ts";
import { patchesIn } from "../../support/decide-patches.ts";
import { english, verbatim } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { startTalk, type Talk } from "../../support/talk.ts";
import { openTestApp } from "../../support/test-app.ts";
import { hostFor } from "../../support/word-check.ts";
import { hunkIds, news, patch, patchOf } from "./patch-talk.ts";

const types: Check = {
  ...{ id: "types", name: "types", command: "npx tsc", kind: "static", folder: "work", blind: [] },
};
const reader = { program: "typescript", args: [], code: [] } as const;
const replace = (path: string, from: string, to: string) => [
  ...[`*** Update File: ${path}`, "@@", `-${from}`, `+${to}`],
];
const add = (path: string, ...lines: readonly string[]) => [
  `*** Add File: ${path}`,
  ...lines.map((line) => `+${line}`),
];

interface Set {
  readonly rules: readonly string[];
  readonly check?: Partial<Check>;
  readonly confinement?: Confinement;
  readonly files?: Readonly<Record<string, string>>;
}

/** The model proposes these files one by one and says that it is done. */
async function proposed(patches: readonly (readonly string[])[], set: Set): Promise<Talk> {
  const { host } = hostFor(set.check ? [{ ...types, ...set.check }] : [], undefined, "", set.confinement);
  const talk = await startTalk({ settings: { autoAccept: set.rules }, checkHost: host });
  talk.workspace.write("work/test/a.ts", "one\n");
  talk.workspace.write("work/src/a.ts", "one\n");
  talk.workspace.write("work/docs/a.md", "one\n");
  for (const [path, content] of Object.entries(set.files ?? {}))
    talk.workspace.write(`work/${path}`, content);
  for (const [at, each] of patches.entries())
    talk.sim.reply(patchCall(patch(...each), { callId: `call_${at}` }));
  talk.sim.reply(text("Done."));
  await talk.ask(`Change ${patches.map(([head = ""]) => head.split(": ")[1]).join(", ")}.`);
  await talk.conversation.changes.refresh();
  return talk;
}

const waiting = ({ conversation }: Talk) =>
  conversation.changes.pending.map(({ change }) => change.file.path);

/** What the rows of the patches say that still wait. */
const left = (talk: Talk) =>
  talk
    .last()
    .parts.flatMap((part) =>
      part.type === "patch" && part.status === "proposed" ? [part.message && english(part.message)] : [],
    );

describe("a rule of patch.autoAccept", () => {
  it("accepts what it matches once checks have passed with it in a sandbox, and leaves the rest", async () => {
    const edits = [replace("test/a.ts", "one", "two"), replace("src/a.ts", "one", "two")];
    const talk = await proposed(edits, { rules: ["**/test/**"], check: {} });
    assert.equal(talk.workspace.text("work/test/a.ts"), "two\n");
    assert.deepEqual(waiting(talk), ["src/a.ts"]);
    const [turn] = talk.conversation.state.turns;
    const [first, second] = (turn?.parts ?? []).filter((part) => part.type === "patch");
    assert.deepEqual(
      [first?.status, english(first?.message)],
      ["applied", "Accepted by your rule **/test/**"],
    );
    assert.deepEqual([second?.status, second?.message], ["proposed", undefined]);
    assert.deepEqual(left(talk), [undefined], "what no rule matches is not spoken of");
    assert.match(
      await news(talk),
      /Patch call_0 \(test\/a\.ts\): all of it was accepted and is in the files/,
    );
  });

  it("says which files of a patch it has accepted, and no longer says so when they are undone", async () => {
    const both = [...replace("test/a.ts", "one", "two"), ...replace("src/a.ts", "one", "two")];
    const talk = await proposed([both], { rules: ["test/"], check: {} });
    const part = () => patchOf(talk.last());
    assert.equal(english(part().message), "Accepted by your rule test/: test/a.ts");
    await talk.conversation.changes.undo(["call_0"]);
    assert.equal(talk.workspace.text("work/test/a.ts"), "one\n");
    assert.equal(part().message, undefined);
    assert.deepEqual(waiting(talk), ["src/a.ts"]);
  });

  it("accepts code neither without checks, nor without a sandbox, nor by a check that only reads", async () => {
    const edits = [replace("test/a.ts", "one", "two")];
    const none = { kind: "none", why: verbatim("There is none.") } as const;
    const sets: readonly Set[] = [
      { rules: ["**"] },
      { rules: ["**"], check: { isAlways: true }, confinement: none },
      { rules: ["**"], check: { reader } },
      { rules: ["**"], check: { automatic: false } },
      { rules: ["**"], check: { folder: "elsewhere" } },
    ];
    for (const set of sets) {
      const talk = await proposed(edits, set);
      assert.deepEqual(waiting(talk), ["test/a.ts"], JSON.stringify(set));
      assert.equal(talk.workspace.text("work/test/a.ts"), "one\n");
      assert.deepEqual(left(talk), [
        "test/a.ts matches your rule **, but needs your decision: no check has passed with it in a sandbox.",
      ]);
    }
  });

  it("accepts nothing if a check finds something new", async () => {
    const talk = await startTalk({ settings: { autoAccept: ["**"] }, checkHost: hostFor([types]).host });
    talk.workspace.write("work/a.ts", "one\n");
    talk.sim.reply(patchCall(patch(...replace("a.ts", "one", "wrong"))));
    for (const words of ["Done.", "It stays.", "It stays."]) talk.sim.reply(text(words));
    await talk.ask("Change a.ts.");
    assert.deepEqual(waiting(talk), ["a.ts"]);
    assert.deepEqual(left(talk), [
      "a.ts matches your rule **, but needs your decision: a check found something new.",
    ]);
  });

  it("says of a patch that it has accepted in part also why the rest waits, each as long as it is true", async () => {
    const both = [...replace("docs/a.md", "one", "two"), ...replace("src/a.ts", "one", "two")];
    const talk = await proposed([both], { rules: ["**"] });
    const part = () => patchOf(talk.last());
    const accepted = "Accepted by your rule **: docs/a.md";
    const why =
      "src/a.ts matches your rule **, but needs your decision: no check has passed with it in a sandbox.";
    assert.equal(english(part().message), `${accepted}. ${why}`);
    await talk.conversation.changes.accept(hunkIds(talk));
    assert.equal(talk.workspace.text("work/src/a.ts"), "two\n");
    assert.equal(english(part().message), accepted);
  });

  it("says of the first file why it waits, and how many more do", async () => {
    const gone = ["*** Delete File: docs/a.md", ...add("docs/b.mdx", "Text.")];
    const talk = await proposed([gone], { rules: ["docs/**"] });
    assert.deepEqual(left(talk), [
      "docs/a.md matches your rule docs/**, but needs your decision: it would be deleted; 1 more need it, too.",
    ]);
    const part = () => patchOf(talk.last());
    await talk.conversation.changes.accept(hunkIds(talk));
    assert.deepEqual([part().status, part().message], ["applied", undefined], "until it is decided");
  });

  it("accepts Markdown without checks unless a program could take something in it for code", async () => {
    const plain = [
      "# Title",
      "",
      "Use `npm test`, then *wait*.",
      "- import it",
      "",
      "| a | b |",
      "|---|---|",
    ];
    const loaded = [
      ["```js", "run()", "```"],
      ["<script setup>run()</script>"],
      ["{{ run() }}"],
      ["{% include x %}"],
      [">>> run()"],
      ["    run()"],
      ["export const a = run();"],
      ["---", "layout: x", "---"],
    ];
    const files = loaded.map((lines, at) => add(`docs/${at}.md`, ...lines));
    const others = [
      add("docs/x.mdx", "Text."),
      add("docs/CMakeLists.txt", "run()"),
      add("docs/plain", "Text."),
    ];
    const talk = await proposed(
      [add("docs/b.md", ...plain), replace("docs/a.md", "one", "two"), ...files, ...others],
      {
        rules: ["docs/**"],
      },
    );
    assert.equal(talk.workspace.text("work/docs/a.md"), "two\n");
    assert.equal(talk.workspace.text("work/docs/b.md"), `${plain.join("\n")}\n`);
    assert.deepEqual(waiting(talk).length, files.length + others.length);
  });

  it("never accepts deletions, protected files, secrets, weakened tests and edits beside typed ones", async () => {
    const weak = "test('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n";
    const edits = [
      ["*** Delete File: src/a.ts"],
      replace("package.json", "{}", '{ "scripts": {} }'),
      add("test/key.ts", 'const key = "sk-live-4242424242424242424242424242424242424242";'),
      replace("sum.test.ts", "  expect(sum(1, 2)).toBe(3);", "  expect(sum(1, 2)).toBeDefined();"),
      add("test/odd.ts", "const a = 1; // \u202e"),
      add("test/ok.ts", "const a = 1;"),
    ];
    const files = { "package.json": "{}\n", "sum.test.ts": weak };
    const talk = await proposed(edits, { rules: ["**"], check: {}, files });
    assert.deepEqual(waiting(talk).toSorted(), [
      ...["package.json", "src/a.ts", "sum.test.ts", "test/key.ts", "test/odd.ts"],
    ]);
    assert.equal(talk.workspace.text("work/test/ok.ts"), "const a = 1;\n");
  });

  it("takes both names of a moved file, and a pattern with ! always leaves out", async () => {
    const move = ["*** Update File: src/a.ts", "*** Move to: test/b.ts", "@@", "-one", "+two"];
    const edits = [move, replace("test/a.ts", "one", "two"), add("test/keep/a.ts", "const a = 1;")];
    const talk = await proposed(edits, { rules: ["!test/Keep/", "test/**"], check: {} });
    assert.deepEqual(waiting(talk).toSorted(), ["src/a.ts", "test/keep/a.ts"]);
    const broken = await proposed([replace("test/a.ts", "one", "two")], {
      rules: ["test/**", "!["],
      check: {},
    });
    assert.deepEqual(waiting(broken), ["test/a.ts"], "it might be what leaves it out");
  });

  it("writes the other files when one is refused, and keeps its reason", async () => {
    const names = ["one", "two", "three"];
    const { host } = hostFor([types]);
    const talk = await startTalk({ settings: { autoAccept: ["**"] }, checkHost: host });
    for (const name of names) talk.workspace.write(`work/${name}.ts`, `${name}\n`);
    talk.workspace.locked.set("work/two.ts", verbatim("It is locked."));
    talk.sim.reply(
      patchCall(patch(...names.flatMap((name) => replace(`${name}.ts`, name, name.toUpperCase())))),
    );
    talk.sim.reply(text("Done."));
    await talk.ask("Change one.ts, two.ts and three.ts.");
    const { pending } = talk.conversation.changes;
    assert.deepEqual(
      pending.map(({ change, refused }) => [change.file.path, english(refused)]),
      [["two.ts", "It is locked."]],
    );
    assert.equal(talk.workspace.text("work/three.ts"), "THREE\n");
    assert.equal(english(patchOf(talk.last()).message), "Accepted by your rule **: one.ts, three.ts");
  });

  it("does nothing in a folder that is not trusted", async () => {
    const { host } = hostFor([types]);
    const talk = await startTalk({ settings: { autoAccept: ["**"] }, checkHost: host });
    talk.workspace.write("work/docs/a.md", "one\n");
    talk.sim.reply(patchCall(patch(...replace("docs/a.md", "one", "two"))));
    talk.sim.reply(text("Done."));
    const listening = talk.onEvent(({ type }) => {
      if (type === "patch") talk.workspace.trusted = false;
    });
    await talk.ask("Change docs/a.md.");
    listening.dispose();
    assert.equal(talk.workspace.text("work/docs/a.md"), "one\n");
  });
});

it("a rule that fails leaves the question answered, the box empty and the next question in order", async (t) => {
  const isUnsaved = () => {
    throw new Error("The editor does not tell.");
  };
  const errors: string[] = [];
  const app = await openTestApp(t, {
    workspace: { ...createFolderWorkspace(), isUnsaved },
    defaultModel: () => "svc-k3",
    log: { ...silentLog, error: (message) => void errors.push(message) },
  });
  app.settings = { ...app.settings, autoAccept: ["**/*.md"] };
  app.sim.reply(patchCall(patch(...add("a.md", "# Title"))));
  for (const words of ["Done.", "Next."]) app.sim.reply(text(words));
  const first = app.session.send({ prompt: "Write a.md." });
  const second = app.session.send({ prompt: "And now?" });
  assert.equal((await first)?.status, "done");
  assert.equal((await second)?.status, "done");
  assert.equal(app.session.draft.text, "");
  assert.equal(app.session.patches.changes.pending.length, 1);
  assert.deepEqual(errors, ["What a turn proposed could not be accepted by its rule."]);
});

/** Sessions as the product makes them, whose rule is for what lies in docs. */
async function openRuled(t: TestContext) {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3" });
  app.settings = { ...app.settings, autoAccept: ["docs/**"] };
  const propose = async (session: Session, ...changed: readonly string[]) => {
    app.sim.reply(patchCall(patch(...changed)));
    app.sim.reply(text("Done."));
    assert.equal((await session.send({ prompt: "Write it." }))?.status, "done");
  };
  return { app, workspace, propose };
}

const saidIn = ({ state }: Session) =>
  patchesIn(state.turns).map(({ status, message }) => [status, message && english(message)]);

it("what a rule has accepted is said after a reload and can be undone there, and a later rule accepts nothing by itself", async (t) => {
  const { app, workspace, propose } = await openRuled(t);
  await propose(app.session, ...add("docs/a.md", "# A"), ...add("b.md", "# B"));
  const said = [["proposed", "Accepted by your rule docs/**: docs/a.md"]];
  assert.deepEqual(saidIn(app.session), said);
  app.settings = { ...app.settings, autoAccept: ["**/*.md"] };
  const later = await app.restart();
  const { changes } = later.patches;
  await changes.refresh();
  assert.deepEqual(saidIn(later), said);
  assert.deepEqual(
    changes.pending.map(({ change }) => change.file.path),
    ["b.md"],
  );
  assert.equal(workspace.text("work/b.md"), undefined);
  await changes.undo(patchesIn(later.state.turns).map(({ call }) => call));
  assert.equal(workspace.text("work/docs/a.md"), undefined);
  assert.deepEqual(saidIn(later), [["proposed", undefined]]);
});

it("a rule accepts in two sessions at once what each proposes, and the one says nothing of the other's", async (t) => {
  const { app, workspace, propose } = await openRuled(t);
  workspace.write("work/docs/a.md", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  const one = app.session;
  const other = (await app.registry.create()).session;
  const byHand = (await app.registry.create()).session;
  await propose(byHand, ...add("c.md", "# C"));
  const held = holdBefore(8);
  app.sim.reply(text("I begin."), patchCall(patch(...replace("docs/a.md", "one", "ONE"))), held);
  const begun = new Promise<void>((resolve) => one.onEvent(({ type }) => type === "text" && resolve()));
  const first = one.send({ prompt: "Write it." });
  await begun;
  await propose(other, ...replace("docs/a.md", "seven", "SEVEN"));
  app.sim.reply(text("Done."));
  held.release();
  await first;
  assert.equal(workspace.text("work/docs/a.md"), "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n");
  for (const session of [one, other])
    assert.deepEqual(saidIn(session), [["applied", "Accepted by your rule docs/**"]]);
  assert.deepEqual(saidIn(byHand), [["proposed", undefined]]);
});
