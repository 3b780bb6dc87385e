// What is said of the changes of calls, in any order of proposals, typing, a person's own words and decisions. Every line that
// anybody writes is one of its kind, so that what is in a text can be asked of the text.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isByPerson } from "../../../src/changes/proposal.ts";
import { MessageError } from "../../../src/conversation/english.ts";
import { HumanError } from "../../../src/conversation/messages.ts";
import { linesOf } from "../../../src/patch/diff-and-merge.ts";
import { lineEdits } from "../../../src/patch/edits.ts";
import { changeSet } from "../../support/change-set.ts";

const runs = {
  numRuns: process.env["PATCHBAY_LONG"] === undefined ? 150 : 10_000,
  includeErrorInReport: true,
};
const path = "a.txt";
const start = Array.from({ length: 24 }, (_, at) => `line ${at}\n`).join("");
/** Three different lines, again and again, some with other line ends. */
const alike = Array.from({ length: 24 }, (_, at) => `${"ab}"[at % 3]}${at < 12 ? "\n" : "\r\n"}`).join("");

/** At a place of a text, counted as far as it goes: so many lines go, so many come. */
const rewriting = fc.record({ at: fc.nat(30), out: fc.nat(3), into: fc.nat(3) });
type Rewriting = typeof rewriting extends fc.Arbitrary<infer T> ? T : never;
/** Which of the changes that wait, the first of them by the lowest bit; which call; which lines. */
const which = fc.nat(2 ** 16);
/** A call that only brings lines back which the file has and the proposal has not. */
const restoring = fc.record({ kind: fc.constant("restore" as const), which });

const deciding = ["accept", "acceptCall", "reject", "rejectCall"] as const;
/** `inHunk`: so many of its changes are one hunk, one of these. */
const proposing = (...inHunk: readonly number[]) =>
  fc.record({
    kind: fc.constant("propose" as const),
    how: fc.array(rewriting, { minLength: 1, maxLength: 3 }),
    inHunk: fc.constantFrom(...inHunk),
  });
const step = fc.oneof(
  { weight: 4, arbitrary: proposing(1, 2) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom("type" as const, "edit" as const), how: rewriting }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...deciding), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("acceptAgain" as const), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Restoring = typeof restoring extends fc.Arbitrary<infer T> ? T : never;

/** One change of a hunk. */
interface Change {
  /** The lines that it wrote, and what a person wrote in their place; what a person has deleted is not asked for. */
  readonly words: Set<string>;
  /** What it removed, if it wrote nothing. */
  readonly removed: readonly string[];
}

/** Whether one of these changes can be seen: a line of it is in this text, or what it only removed is not. */
const isSeen = (changes: readonly Change[], text: ReadonlySet<string>) =>
  changes.some(
    ({ words, removed }) =>
      [...words].some((line) => text.has(line)) || removed.some((line) => !text.has(line)),
  );
/** Whether there is anything that can be asked for of a change. */
const isAsked = ({ words, removed }: Change) => words.size + removed.length > 0;

/** A set, and what is known of each hunk of each call. */
function begin(text = start) {
  const set = changeSet({ [path]: text });
  /** By call and hunk. */
  const changes = new Map<string, readonly Change[]>();
  /** By call. */
  const wrote = new Map<number, readonly string[]>();
  const isAlike = text === alike;
  let written = 0;
  let calls = 0;
  const live = () => set.live(path) ?? "";
  const proposed = () => set.proposed(path) ?? "";
  const rewrite = (text: string, { at, out, into }: Rewriting, by: string) => {
    const lines = linesOf(text);
    const from = at % (lines.length + 1);
    const word = () => (isAlike ? `${"ab}"[++written % 3]}` : `${by} ${++written}`);
    const come = Array.from({ length: into }, () => `${word()}\n`);
    return [...lines.slice(0, from), ...come, ...lines.slice(from + out)].join("");
  };
  const statusOf = (key: string) => {
    const [call = "", id = ""] = key.split(" ");
    return set.statuses(Number(call)).get(id);
  };
  const isAside = () => set.hunks().some(({ conflict }) => conflict);

  function propose(how: readonly Rewriting[], inHunk: number): void {
    const before = proposed();
    const wanted = how.reduce((text, each) => rewrite(text, each, "model"), before);
    if (wanted === before) return;
    set.proposeText(path, wanted, inHunk);
    calls += 1;
    const edits = lineEdits(before, wanted);
    wrote.set(
      calls,
      edits.flatMap(({ text }) => linesOf(text)).filter((line) => line.startsWith("model")),
    );
    for (let at = 0; at < edits.length; at += inHunk) {
      const own = edits.slice(at, at + inHunk).map(({ text, removed }) => {
        return { words: new Set(linesOf(text)), removed: text === "" ? linesOf(removed) : [] };
      });
      changes.set(`${calls} ${path}#${at / inHunk + 1}`, own);
    }
  }

  function restore({ which }: Restoring): void {
    const lines = [...linesOf(proposed())];
    const file = linesOf(live());
    const missing = file.filter((line) => !lines.includes(line));
    for (const [at, line] of missing.entries()) {
      if (((which >> (at % 16)) & 1) === 0) continue;
      const before = file.slice(0, file.indexOf(line)).findLast((each) => lines.includes(each));
      lines.splice(before === undefined ? 0 : lines.indexOf(before) + 1, 0, line);
    }
    if (lines.join("") === proposed()) return;
    set.proposeText(path, lines.join(""), 2);
    calls += 1;
  }

  function edit(how: Rewriting): void {
    const before = proposed();
    const wanted = rewrite(before, how, "person");
    if (!set.hunks().some(({ conflict }) => !conflict)) return;
    // What is in the file already stays what the call wrote there.
    const pending = [...changes].flatMap(([key, own]) => (statusOf(key) === "pending" ? own : []));
    set.edit(path, wanted);
    for (const { removed, text } of lineEdits(before, wanted))
      for (const { words } of pending) {
        const gone = linesOf(removed).filter((line) => words.delete(line));
        if (gone.length > 0) for (const line of linesOf(text)) words.add(line);
      }
  }

  function take(each: Step | Restoring): void {
    const call = "which" in each && calls > 0 ? 1 + (each.which % calls) : 0;
    const free = set.hunks().filter(({ conflict }) => !conflict);
    const chosen = (mask: number) => free.filter((_, at) => ((mask >> (at % 16)) & 1) === 1);
    switch (each.kind) {
      case "propose":
        propose(each.how, each.inHunk);
        return;
      case "restore":
        restore(each);
        return;
      case "type":
        set.type(path, rewrite(live(), each.how, "typed"));
        return;
      case "edit":
        edit(each.how);
        return;
      case "accept":
      case "acceptCall": {
        const ids = each.kind === "accept" ? chosen(each.which).map(({ id }) => id) : set.hunksOf(call);
        if (ids.length > 0) set.accept(ids);
        return;
      }
      case "reject":
        set.reject(chosen(each.which).map(({ id }) => id));
        return;
      case "rejectCall":
        set.rejectCall(call);
        return;
      case "undo":
      case "acceptAgain":
        try {
          if (each.kind === "undo") set.undo();
          else if (call > 0) set.acceptAgain(call);
        } catch (error) {
          assert.ok(error instanceof MessageError || error instanceof HumanError, String(error));
        }
        return;
      default:
        each satisfies never;
    }
  }
  return { set, changes, wrote, statusOf, live, proposed, isAside, take, count: () => calls };
}

const steps = fc.array(step, { maxLength: 14 });
const law = (name: string, holds: (all: readonly Step[]) => void, of = steps) =>
  test(name, () => fc.assert(fc.property(of, holds), runs));
/** Mostly calls that write over each other, and are rejected. */
const rejecting = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: proposing(1, 2) },
    fc.record({ kind: fc.constant("rejectCall" as const), which }),
    step,
  ),
  { maxLength: 10 },
);

const oneMore = fc.oneof({ weight: 3, arbitrary: proposing(1, 2) }, restoring);

describe("a change set after any steps", () => {
  law("reports as applied only changes that are in the file", (all) => {
    const { changes, statusOf, live, take } = begin();
    const known = new Set<string>();
    // One place of a hunk may be typed away while another one waits.
    const wasInFile = new Set<string>();
    for (const each of all) {
      take(each);
      const inFile = new Set(linesOf(live()));
      for (const [key, own] of changes) {
        if (isSeen(own, inFile)) wasInFile.add(key);
        else if (each.kind === "undo") wasInFile.delete(key);
        if (statusOf(key) !== "applied") known.delete(key);
        else if (!known.has(key) && own.every(isAsked)) {
          known.add(key);
          assert.ok(wasInFile.has(key), `${key} is called applied`);
        }
      }
    }
  });

  for (const [name, text] of Object.entries({ different: start, equal: alike }))
    law(
      `offers a decision for each pending call, and has no hunk without a call, of ${name} lines`,
      (all) => {
        const { set, isAside, take, count } = begin(text);
        const coming = text === alike ? ["type", "undo", "acceptAgain"] : ["acceptAgain"];
        const mayCome = (each: Step) =>
          coming.includes(each.kind) || (each.kind === "type" && each.how.into === 0);
        let hasCome = false;
        for (const each of all) {
          const before = count();
          take(each);
          // The file may have come to what a call proposes: until something is done it waits for that to be taken back.
          hasCome = mayCome(each) || (hasCome && count() === before);
          if (hasCome || each.kind === "type" || each.kind === "undo" || isAside()) continue;
          const decided = new Set<string>();
          for (let call = 1; call <= count(); call++) {
            const own = set.hunksOf(call);
            for (const id of own) decided.add(id);
            const isWaiting = [...set.statuses(call)].some(
              ([id, status]) => status === "pending" && !isByPerson(id),
            );
            assert.ok(!isWaiting || own.length > 0, `call ${call} waits, and nothing of it can be decided`);
          }
          for (const { id, added } of set.hunks()) assert.ok(decided.has(id), `${added.join()} is nobody's`);
        }
      },
    );

  law("proposes something of each pending change", (all) => {
    const { changes, statusOf, proposed, isAside, take } = begin();
    for (const each of all) {
      take(each);
      if (isAside()) continue;
      const lines = new Set(linesOf(proposed()));
      // It may wait for what a person has made of one of its changes: a deletion of what that had removed.
      for (const [key, own] of changes)
        if (statusOf(key) === "pending" && own.every(isAsked)) assert.ok(isSeen(own, lines), `${key} waits`);
    }
  });

  law(
    "never again proposes a line of a call that was rejected",
    (all) => {
      const { set, wrote, live, proposed, take, count } = begin();
      const rejected = new Set<string>();
      for (const each of all) {
        const call = each.kind === "rejectCall" && count() > 0 ? 1 + (each.which % count()) : 0;
        if (call > 0 && set.hunksOf(call).length > 0)
          for (const line of wrote.get(call) ?? []) rejected.add(line);
        take(each);
        const inFile = new Set(linesOf(live()));
        const again = linesOf(proposed()).filter((line) => rejected.has(line) && !inFile.has(line));
        assert.deepEqual(again, []);
      }
    },
    rejecting,
  );

  for (const [name, text] of Object.entries({ different: start, equal: alike }))
    law(
      `proposes nothing once each call was rejected, in any order, of ${name} lines`,
      (all) => {
        const { set, proposed, take, count } = begin(text);
        for (const each of all) if (each.kind === "propose" || each.kind === "rejectCall") take(each);
        for (let call = 1; call <= count(); call++) set.rejectCall(call);
        assert.equal(proposed(), text);
      },
      rejecting,
    );

  for (const [name, text] of Object.entries({ different: start, equal: alike }))
    test(`proposes what it did before once a call that was just proposed is rejected, of ${name} lines`, () =>
      fc.assert(
        fc.property(steps, text === alike ? proposing(1, 2) : oneMore, (all, last) => {
          const { set, live, proposed, isAside, take, count } = begin(text);
          // A call settles what stands against what was typed into the file.
          const isTyped = ({ kind }: Step) => kind === "type" || kind === "undo" || kind === "acceptAgain";
          for (const each of all) if (!isTyped(each)) take(each);
          const before = { proposed: proposed(), calls: count(), statuses: statusesOf(count()) };
          const hunks = isAside() ? undefined : set.hunks();
          take(last);
          // Once the file is as it was, nothing is left to decide in it, and none of its lines is kept.
          if (count() === before.calls || proposed() === live()) return;
          set.rejectCall(count());
          assert.equal(proposed(), before.proposed);
          if (hunks === undefined) return;
          assert.deepEqual(set.hunks(), hunks);
          assert.deepEqual(statusesOf(before.calls), before.statuses);

          function statusesOf(calls: number) {
            return Array.from({ length: calls }, (_, at) => [...set.statuses(at + 1)]);
          }
        }),
        runs,
      ));
});
