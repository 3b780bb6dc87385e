// A journal that anything may have happened to: bytes turned, taken out, put in, doubled; lines swapped; pieces of other
// journals. Whatever it holds, it opens, says all that is valid, harms no other conversation, and can be written again.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { conversationStore, readConversation } from "../../../src/session/conversation-store.ts";
import { Recorder } from "../../../src/session/internal/recorder.ts";
import { checkLine } from "../../../src/store/journal-records.ts";
import type { Library } from "../../../src/store/library.ts";
import { silentLog } from "../../../src/util/log.ts";
import { draws } from "../../support/draws.ts";
import { type Pick, random } from "../../support/random-text.ts";
import { addTurn, libraryOn, logOf, temporaryFolder } from "./store-support.ts";

const rounds = process.env["PATCHBAY_LONG"] === undefined ? 25 * draws : 2000;

function damage(whole: Buffer, roll: Pick): Buffer {
  const at = roll(whole.length);
  const length = 1 + roll(200);
  const [head, tail] = [whole.subarray(0, at), whole.subarray(at)];
  switch (roll(8)) {
    case 0: {
      const turned = Buffer.from(whole);
      turned[at] = (turned[at] ?? 0) ^ (1 << roll(8));
      return turned;
    }
    case 1:
      return head;
    case 2:
      return Buffer.concat([head, tail.subarray(length)]);
    case 3:
      return Buffer.concat([head, Buffer.alloc(length, roll(256)), tail]);
    case 4:
      return Buffer.concat([whole, tail]);
    case 5: {
      const lines = whole.toString("latin1").split("\n");
      const [one, other] = [roll(lines.length), roll(lines.length)];
      [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
      return Buffer.from(lines.join("\n"), "latin1");
    }
    case 6:
      return Buffer.concat([
        head,
        Buffer.from('\n{"seq":1,"type":"text","turn":"1","crc":"00000000"}\n'),
        tail,
      ]);
    default:
      return Buffer.concat([tail, head]);
  }
}

/** What every line says whose checksum holds, as far as it is shown. */
const soundLines = (bytes: Buffer): { type: string; turn: string }[] =>
  bytes
    .toString("latin1")
    .split("\n")
    .filter((line) => checkLine(Buffer.from(line, "latin1")) !== undefined)
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "started" || type === "text");

async function prepare(t: TestContext): Promise<{ library: Library; folder: string; whole: Buffer }> {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (const id of ["good", "c"]) {
    const journal = await library.create(id);
    for (const turn of ["1", "2", "3", "4"]) await addTurn(journal, turn);
    await journal.append({ type: "replay", turn: "4", items: ['{"type":"message"}'] }, { durable: true });
    await journal.close();
  }
  return { library, folder, whole: readFileSync(logOf(folder, "c")) };
}

test(`${rounds} randomly damaged journals open, show every valid record and can be continued`, async (t) => {
  const { library, folder, whole } = await prepare(t);
  const good = readFileSync(logOf(folder, "good"));
  const roll = random(Number(process.env["PATCHBAY_SEED"] ?? 5));
  for (let round = 0; round < rounds; round++) {
    let bytes = whole;
    for (let times = 1 + roll(3); times > 0; times--)
      bytes = bytes.length === 0 ? bytes : damage(bytes, roll);
    const id = `r${round}`;
    mkdirSync(join(folder, "conversations", id), { recursive: true });
    writeFileSync(logOf(folder, id), bytes);
    const journal = await conversationStore(library).open(id);
    const recorder = new Recorder({ journal, log: silentLog, emit() {}, now: () => 5 });
    await recorder.remember();
    const shown = recorder.transcript.state;
    const answers = shown.turns.map(({ id: turn, prompt, parts }) => {
      assert.ok([`Question ${turn}`, ""].includes(prompt), `${round}: nothing is shown that was never said`);
      return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    });
    for (const [index, { id: turn }] of shown.turns.entries())
      assert.ok([`Answer ${turn}`, ""].includes(answers[index] ?? ""), `${round}: ${answers[index]}`);
    for (const said of soundLines(bytes)) {
      const index = shown.turns.findIndex(({ id: turn }) => turn === said.turn);
      const there = said.type === "text" ? answers[index] : shown.turns[index]?.prompt;
      assert.ok(
        there !== undefined && there !== "",
        `${round}: ${said.type} of ${said.turn} stands there, unseen`,
      );
    }
    await recorder.take({
      type: "started",
      turn: "new",
      at: 1,
      model: "m",
      route: "chat",
      prompt: "Question new",
    });
    await recorder.take({ type: "ended", turn: "new", at: 2, ending: "done" });
    await recorder.flush();
    await journal.close();
    const { turns } = await readConversation(library, id);
    assert.deepEqual(turns, recorder.transcript.state.turns, `${round}: the same as it was shown`);
    assert.equal(turns.at(-1)?.id, "new", `${round}`);
    const kept = readdirSync(join(folder, "conversations", id));
    const isRepaired = kept.some((name) => name.includes(".corrupt-"));
    if (isRepaired) {
      const original = kept.find((name) => name.includes(".corrupt-")) ?? "";
      assert.deepEqual(readFileSync(join(folder, "conversations", id, original)), bytes, `${round}`);
    }
  }
  assert.deepEqual(readFileSync(logOf(folder, "good")), good);
  assert.equal((await library.list()).length, rounds + 2);
});
