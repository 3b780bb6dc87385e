// Faults, rows 65 and 67: the process is killed in thirteen phases, again and again, on the same folder. Whatever it promised
// before it died is there afterwards: no finished turn lost, nothing unreadable, no patch doubled. PATCHBAY_LONG
// kills 200 times.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ChangeFile, type ChangeStore, Texts } from "../../../src/changes/change-store.ts";
import { readConversation } from "../../../src/session/conversation-store.ts";
import { silentLog } from "../../../src/util/log.ts";
import { drip } from "../../sim/delivery-faults.ts";
import { isObject } from "../../sim/json.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { type Part, patchCall, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { type KillOrder, type Phase, type Promised, phases } from "./kill-order.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";

const kills = process.env["PATCHBAY_LONG"] === undefined ? phases.length : 200;
const answer = (what: string) => `Answer to ${what}: ${"one word after the other, ".repeat(20)}end.`;

/** A model that does as it is told by the last question, and knows nothing else. */
function obey({ body }: SeenRequest): readonly Part[] {
  const last = (body["input"] as unknown[]).at(-1);
  const question = isObject(last) && last["type"] === "message" ? String(last["content"]) : "";
  const [, what = "", round = ""] = /^(say|patch) (\S+)$/.exec(question) ?? [];
  if (what === "patch") return [patchCall(appendLine(round), { callId: `call-${calls++}` })];
  return [text(what === "say" ? answer(round) : "Done."), drip(700, 1)];
}

let calls = 0;
const appendLine = (round: string) =>
  `*** Begin Patch\n*** Update File: list.txt\n@@\n first\n+patch ${round}\n*** End Patch\n`;

interface Life {
  readonly sim: Simulator;
  readonly folder: string;
  readonly workspace: string;
  /** By id: what must be there, whatever happens. */
  readonly turns: Map<string, Extract<Promised, { what: "turn" }>>;
  /** By call: the line that it adds, and what is known of it; "either": it was being decided. */
  readonly patches: Map<string, { readonly line: string; readonly is: "waiting" | "either" | "in" | "out" }>;
  /** Questions that were said to be kept. */
  readonly sent: Set<string>;
  draft: string;
}

async function startLife(t: TestContext): Promise<Life> {
  const sim = await startSimulator({ assistant: obey });
  t.after(() => sim.close());
  const root = temporaryFolder(t);
  const workspace = join(root, "work");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "list.txt"), "first\nlast\n");
  return {
    sim,
    folder: join(root, "store"),
    workspace,
    turns: new Map(),
    patches: new Map(),
    sent: new Set(),
    draft: "",
  };
}

async function liveAndDie(life: Life, number: number, phase: Phase, pass: number, delay: number) {
  const { sim, folder, workspace } = life;
  const order: KillOrder = { number, phase, pass, delay, url: sim.url, key: sim.key, folder, workspace };
  const args = [".build/unit/store/killed.process.mjs", JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (piece) => {
    said += piece;
  });
  const [, signal] = await once(child, "close");
  assert.equal(signal, "SIGKILL", `${phase}: it ended otherwise`);
  for (const line of said.split("\n").slice(0, -1)) keep(life, JSON.parse(line));
}

function keep(life: Life, promised: Promised): void {
  if (promised.what === "turn") life.turns.set(promised.id, promised);
  else if (promised.what === "cut") life.turns.delete(promised.id);
  else if (promised.what === "sent") life.sent.add(promised.prompt);
  else if (promised.what === "emptied") life.sent.clear();
  else if (promised.what === "proposed")
    life.patches.set(promised.call, { line: promised.line, is: "waiting" });
  else if (promised.what === "deciding") known(life, promised.call, "either");
  else if (promised.what === "accepted") known(life, promised.call, "in");
  else if (promised.what === "undone") known(life, promised.call, "out");
  else life.draft = promised.text;
}

async function look(life: Life, name: string): Promise<void> {
  const library = libraryOn(life.folder);
  const [summary, ...others] = await library.list();
  assert.ok(others.length === 0, `${name}: ${others.length + 1} conversations`);
  if (summary === undefined) {
    assert.equal(life.turns.size, 0, `${name}: the conversation is lost`);
    return;
  }
  const journal = await library.open(summary.id);
  assert.equal(journal.readOnly, undefined, `${name}: locked`);
  assert.equal(journal.repair, undefined, `${name}: damaged`);
  const beside = readdirSync(join(life.folder, "conversations", summary.id));
  assert.deepEqual(
    beside.filter((each) => /^(log\.jsonl|attached\.json|sent\.json|changes-\w+\.json)\..*\.tmp$/.test(each)),
    [],
    `${name}: litter`,
  );
  const { turns } = await readConversation(library, summary.id);
  for (const { id, status, prompt, said } of life.turns.values()) {
    const found = turns.filter((turn) => turn.id === id);
    assert.equal(found.length, 1, `${name}: "${prompt}" is there ${found.length} times`);
    assert.equal(found[0]?.status, status, `${name}: "${prompt}" was ${status}`);
    const text = found[0]?.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    assert.equal(text, said, `${name}: "${prompt}" says something else`);
  }
  await checkPatches(life, journal.changes, name);
  const [written, attached, sent] = [
    await journal.readDraft(),
    await journal.readAttached(),
    await journal.readSent(),
  ];
  for (const question of life.sent) {
    const isInTurn = turns.some(({ prompt }) => prompt === question);
    const isKept = isInTurn || written.includes(question) || sent.includes(`"${question}"`);
    assert.ok(isKept, `${name}: "${question}" was sent, and is nowhere`);
  }
  // A draft that was being typed when it died may be there instead of the one before; so may what is attached to it.
  const number = (draft: string) => (/draft ([\d.]+)/.exec(draft)?.[1] ?? "").split(".").map(Number);
  const promised = number(life.draft);
  for (const text of [written, attached]) {
    const draft = number(text);
    if (life.draft !== "")
      assert.ok(
        draft.every((part, at) => part >= (promised[at] ?? 0)) || (draft[0] ?? 0) > (promised[0] ?? 0),
        `${name}: the draft is old`,
      );
  }
  await library.close();
}

function known({ patches }: Life, call: string, is: "either" | "in" | "out"): void {
  const line = patches.get(call)?.line;
  if (line !== undefined) patches.set(call, { line, is });
}

/** The file has each line once, what was accepted is in it, and what waits is kept as waiting: none is lost or doubled. */
async function checkPatches(life: Life, store: ChangeStore, name: string): Promise<void> {
  const lines = readFileSync(join(life.workspace, "list.txt"), "utf8").trimEnd().split("\n");
  assert.equal(new Set(lines).size, lines.length, `${name}: a patch was applied twice`);
  assert.deepEqual([lines[0], lines.at(-1)], ["first", "last"], `${name}: a patch was half applied`);
  const { proposals, intention } = await new ChangeFile(store, new Texts(store), silentLog).read();
  const shares = proposals.flatMap((proposal) => proposal.shares);
  for (const proposal of proposals) {
    const proposed = proposal.proposed?.text.split("\n").filter((line) => line.startsWith("patch")) ?? [];
    assert.equal(new Set(proposed).size, proposed.length, `${name}: a patch was proposed twice`);
  }
  for (const [call, { line, is }] of life.patches) {
    const statuses = shares
      .filter((share) => share.call === call)
      .flatMap(({ hunks }) => hunks.map(({ status }) => status));
    const isIn = lines.includes(line);
    if (is === "waiting") assert.deepEqual([statuses, isIn], [["pending"], false], `${name}: ${line} waits`);
    else if (is === "in")
      assert.deepEqual([statuses, isIn], [["applied"], true], `${name}: ${line} was accepted`);
    else if (is === "out")
      assert.deepEqual([statuses, isIn], [["undone"], false], `${name}: ${line} was taken back`);
    else if (intention === undefined && statuses[0] === "pending")
      assert.equal(isIn, false, `${name}: ${line}`);
  }
}

/** The same numbers in every run. */
const chance = (number: number, most: number) => (Math.imul(number + 1, 2_654_435_761) >>> 8) % most;

test(`rows 65 and 67: a process killed ${kills} times in ${phases.length} phases loses nothing it reported as done`, async (t) => {
  const life = await startLife(t);
  for (let number = 0; number < kills; number += 1) {
    const phase = phases[number % phases.length] ?? "append";
    const delay = chance(number, 5) < 3 ? 0 : chance(number * 7, 40);
    await liveAndDie(life, number, phase, chance(number * 3, 4), delay);
    await look(life, `${number}, ${phase}`);
  }
  assert.deepEqual(life.sim.complaints, [], "and no request ever broke a rule");
  assert.ok(life.turns.size >= kills / 2, `${life.turns.size} turns were finished`);
});
