// Where the user wants it so (`patchbay.patch.atomic` off), what fits of a patch is offered without what does not; the
// model hears of every part what became of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../../support/english.ts";
import { numbers, patch, patchOf, propose, stations, talkWith, told } from "./patch-talk.ts";

const inParts = { settings: { atomicPatches: false } };
const half = patch(
  "*** Update File: a.ts",
  "@@",
  "-one",
  "+ONE",
  "@@",
  "-no such line",
  "+x",
  "@@",
  "-nine",
  "+NINE",
);

test("a patch of which one change does not fit changes nothing, unless its user wants what fits", async () => {
  const whole = await talkWith();
  assert.equal(patchOf(await propose(whole, half)).status, "failed");
  assert.equal(whole.workspace.text("work/a.ts"), numbers);

  const talk = await talkWith(inParts);
  const shown = patchOf(await propose(talk, half));
  assert.equal(shown.status, "applied");
  assert.equal(english(shown.message), "One change of this patch does not fit and is left out.");
  assert.deepEqual(
    shown.files[0]?.hunks.map(({ status, note }) => [status, note && english(note)]),
    [
      ["applied", undefined],
      ["applied", undefined],
      ["failed", "Hunk 2 of a.ts fits nowhere: none of its lines are in the file."],
    ],
  );
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "ONE").replace("nine", "NINE"));
  assert.match(told(talk), /^Success\. Updated the following files:\nM a\.ts\n/);
  assert.match(told(talk), /do not fit and were NOT applied/);
  assert.match(told(talk), /Hunk 2 of a\.ts \(line \d+ of the patch\) fits nowhere/);
  assert.doesNotMatch(told(talk), /Nothing was changed/);
});

test("of what fits a person may take a part again", async () => {
  const talk = await talkWith(inParts);
  talk.decide = (event) => {
    assert.ok(event.type === "patch");
    assert.equal(english(event.message), "One change of this patch does not fit and is left out.");
    return { kind: "partly", hunks: ["a.ts#2"] };
  };
  await propose(talk, half);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  assert.match(told(talk), /hunk 1 of a\.ts: rejected by the user/);
  assert.match(told(talk), /NOT applied/);
});

test("where nothing fits it fails as ever, with every reason", async () => {
  const talk = await talkWith(inParts);
  const shown = patchOf(
    await propose(talk, patch("*** Update File: a.ts", "@@", "-no", "+x", "@@", "-neither", "+y")),
  );
  assert.equal(shown.status, "failed");
  assert.match(told(talk), /Hunk 1 of a\.ts[\s\S]*Hunk 2 of a\.ts[\s\S]*Nothing was changed\.$/);
});

test("files fail by themselves: a path that is refused, a file that is not there, one that is", async () => {
  const talk = await talkWith(inParts);
  talk.workspace.write("work/there.ts", "mine\n");
  const shown = patchOf(
    await propose(
      talk,
      patch(
        ...["*** Add File: there.ts", "+theirs"],
        ...["*** Update File: ../out.ts", "@@", "-one", "+ONE"],
        ...["*** Update File: missing.ts", "@@", "-one", "+ONE"],
        ...["*** Update File: a.ts", "@@", "-five", "+FIVE"],
      ),
    ),
  );
  assert.equal(shown.status, "applied");
  assert.deepEqual(
    shown.files.map(({ path, problem }) => [path, problem !== undefined]),
    [
      ["a.ts", false],
      ["there.ts", true],
      ["../out.ts", true],
      ["missing.ts", true],
    ],
  );
  assert.equal(talk.workspace.text("work/there.ts"), "mine\n");
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("five", "FIVE"));
});

test("a file is not moved without all that was to change on the way, nor changed under a name it does not get", async () => {
  const talk = await talkWith(inParts);
  talk.workspace.write("work/b.ts", "two words\n");
  const moving = [
    "*** Update File: a.ts",
    "*** Move to: c.ts",
    "@@",
    "-one",
    "+ONE",
    "@@",
    "-no such line",
    "+x",
  ];
  const shown = patchOf(
    await propose(
      talk,
      patch(
        ...moving,
        ...["*** Update File: c.ts", "@@", "-two", "+TWO"],
        ...["*** Update File: b.ts", "@@", "-two words", "+words"],
      ),
    ),
  );
  assert.equal(shown.status, "applied");
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
  assert.equal(talk.workspace.text("work/c.ts"), undefined);
  assert.equal(talk.workspace.text("work/b.ts"), "words\n");
  assert.match(told(talk), /a\.ts cannot be patched: other changes that it goes with do not fit/);
});

test("two changes of the same lines are both left out: nobody knows which was meant", async () => {
  const talk = await talkWith(inParts);
  const twice = ["@@", " two", "-three", "+3", "@@", " two", "-three", "+drei"];
  await propose(talk, patch("*** Update File: a.ts", ...twice, "@@", "-nine", "+NINE"));
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
});

test("half a patch is shown to a person also where whole ones are applied by themselves", async () => {
  const tools = { user: new Map([["apply_patch", "auto" as const]]), workspace: new Map() };
  const talk = await talkWith({ settings: { tools, atomicPatches: false } });
  await propose(talk, half);
  assert.deepEqual(stations(talk), ["proposed", "applying", "applied"]);
  const whole = await talkWith({ settings: { tools, atomicPatches: false } });
  await propose(whole, patch("*** Update File: a.ts", "@@", "-five", "+FIVE"));
  assert.deepEqual(stations(whole), ["applying", "applied"]);
});

test("a key in the lines around what was left out does not leave", async () => {
  const talk = await talkWith(inParts);
  const key = ["ghp", "d".repeat(36)].join("_");
  talk.workspace.write("work/b.ts", `first\nconst token = "${key}";\nlast\n`);
  const sent = ["@@", " first", "-const token = 1;", "+const token = 2;", "@@", "-last", "+end"];
  await propose(talk, patch("*** Update File: b.ts", ...sent));
  assert.match(told(talk), /NOT applied/);
  for (const { raw } of talk.bodies()) assert.ok(!raw.includes(key));
});

test("a patch that fits badly everywhere ends soon, and what it says of each part is true", async () => {
  const talk = await talkWith(inParts);
  talk.workspace.write("work/big.ts", Array.from({ length: 400 }, (_, at) => `line ${at}\n`).join(""));
  const hunks = Array.from({ length: 200 }, (_, at) => [
    "@@",
    `-${at % 2 ? "line" : "lost"} ${2 * at}`,
    "+new",
  ]).flat();
  const shown = patchOf(
    await propose(
      talk,
      patch("*** Update File: big.ts", ...hunks, "*** Update File: a.ts", "@@", "-one", "+1"),
    ),
  );
  assert.equal(shown.status, "applied");
  const isChanged = talk.workspace.text("work/big.ts")?.includes("new") === true;
  const problem = shown.files.find(({ path }) => path === "big.ts")?.problem;
  assert.equal(isChanged, problem === undefined);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "1"));
});
