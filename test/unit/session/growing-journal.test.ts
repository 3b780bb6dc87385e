// What a patch of many files leaves in a journal grows with what is said: while it arrives only what is new is told, and so
// it is when it is decided file by file.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { emptyConversation, reduce } from "../../../src/conversation/reduce.ts";
import { StreamingPatches } from "../../../src/tools/patch-view.ts";
import { patchCall, text } from "../../sim/script.ts";
import { patchesIn, rowsTold } from "../../support/decide-patches.ts";
import { startTalk } from "../../support/talk.ts";
import { hunkIds, patch } from "./patch-talk.ts";

const started: ConversationEvent = {
  ...{ type: "started", turn: "1", at: 1, model: "svc-k3", route: "responses", prompt: "Change it." },
};
const begun = { type: "call", item: "x", name: "apply_patch" } as const;
const piece = (delta: string) => ({ type: "call-input", item: "x", delta }) as const;

const sectionOf = ([at, kind, lines]: readonly [number, "add" | "delete" | "update", number]): string[] => {
  if (kind === "delete") return [`*** Delete File: f${at}.ts`];
  const body = Array.from({ length: lines }, (_, line) => `+line ${line} of file ${at}`);
  if (kind === "add") return [`*** Add File: f${at}.ts`, ...body];
  return [`*** Update File: f${at}.ts`, ...body.flatMap((line) => ["@@", " before", line, " after"])];
};
const sections = fc.array(
  fc.tuple(fc.nat(3), fc.constantFrom("add", "delete", "update"), fc.integer({ min: 1, max: 30 })),
  { minLength: 1, maxLength: 12 },
);

test("StreamingPatches reports piece by piece the same files as for the whole text at once", () => {
  fc.assert(
    fc.property(sections, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (made, sizes) => {
      const whole = patch(...made.flatMap(sectionOf));
      const arriving = new StreamingPatches();
      let state = reduce(emptyConversation("c"), started);
      const take = (event: ConversationEvent | undefined) => {
        if (event !== undefined) state = reduce(state, event);
        return event !== undefined;
      };
      take(arriving.take("1", 0, begun));
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const end = at + (sizes[turn % sizes.length] ?? 1);
        const isTold = take(arriving.take("1", 0, piece(whole.slice(at, end))));
        at = end;
        if (!isTold) continue;
        const atOnce = new StreamingPatches();
        atOnce.take("1", 0, begun);
        const all = atOnce.take("1", 0, piece(whole.slice(0, end)));
        assert.deepEqual(patchesIn(state.turns)[0]?.files, all?.type === "patch" && all.files);
      }
    }),
  );
});

/** The bytes of its records that a patch of so many files leaves: as it arrives, and as it is decided file by file. */
async function journalOf(files: number) {
  const talk = await startTalk();
  talk.decide = () => undefined;
  const names = Array.from({ length: files }, (_, at) => `file-${1000 + at}.ts`);
  for (const name of names) talk.workspace.write(`work/${name}`, "one\ntwo\n");
  const sent = patch(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-one", "+ONE"]));
  talk.sim.reply(patchCall(sent));
  talk.sim.reply(text("Done."));
  await talk.ask("Change them all.");
  const bytesOf = (of: RegExp) =>
    talk.lines.filter((line) => of.test(line)).reduce((sum, line) => sum + line.length, 0);
  const { conversation } = talk;
  for (const [at, id] of hunkIds(talk).entries())
    if (at % 2 === 0) await conversation.changes.reject([id]);
    else await conversation.changes.accept([id]);
  await rowsTold(() => conversation.state.turns, conversation.changes);
  return {
    arriving: bytesOf(/"status":"arriving"/),
    deciding: bytesOf(/"type":"patch-state"/),
    said: sent.length,
  };
}

test("the journal grows linearly with the files of a patch and stays below ten times its length", async () => {
  const [few, many] = [await journalOf(15), await journalOf(30)];
  assert.ok(few.arriving > 0 && few.deciding > 0);
  assert.ok(many.arriving < 2.3 * few.arriving, `arriving: ${many.arriving} after ${few.arriving}`);
  assert.ok(many.deciding < 2.3 * few.deciding, `deciding: ${many.deciding} after ${few.deciding}`);
  assert.ok(many.arriving < 10 * many.said, `${many.arriving} for ${many.said}`);
});
