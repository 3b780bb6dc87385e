// The extension host itself is killed, again and again, at random moments of a journey. Whatever was shown or sent before
// is there afterwards, once, and nothing is half written. PATCHBAY_LONG kills 200 times.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Turn } from "../../src/conversation/state.ts";
import { startSimulator } from "../sim/simulator.ts";
import { patience } from "../support/browser.mjs";
import { type KeptOnDisk, readKept } from "../support/kept-on-disk.ts";
import { holdsQuestion, questionsIn, runTogether } from "../support/questions-in.ts";
import { removeFolder } from "../support/remove-folder.mjs";
import { killExtensionHost } from "./support/extension-host.ts";
import { until } from "./support/insist.ts";
import {
  file,
  type Moment,
  noPromises,
  obedient,
  type Promises,
  type StepName,
  stepNames,
  takeStep,
} from "./support/journey.ts";
import { openWindow } from "./support/open-vscode.ts";
import type { VsCode } from "./support/vscode.ts";

const kills = process.env["PATCHBAY_LONG"] === undefined ? 4 : 200;
const seed = Number(process.env["PATCHBAY_SEED"] ?? 1);

/** The same numbers in every run. */
const chance = (number: number, most: number) => (Math.imul(number + seed, 2_654_435_761) >>> 8) % most;

async function openJourney(t: TestContext): Promise<{ vscode: VsCode; promises: Promises }> {
  const promises = noPromises();
  const sim = await startSimulator({ assistant: obedient(promises) });
  t.after(() => sim.close());
  const original = mkdtempSync(join(tmpdir(), "patchbay-journey-"));
  t.after(() => removeFolder(original));
  mkdirSync(original, { recursive: true });
  writeFileSync(join(original, file), "first\nlast\n");
  const settings = { "patchbay.baseUrl": sim.url, "patchbay.patch.saveAfterApply": true };
  const closers: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const { vscode } = await openWindow({ workspace: original, settings }, (close) => closers.push(close));
  await vscode.openChat();
  await vscode.setKey(sim.key);
  return { vscode, promises };
}

const storageOf = ({ workspace }: VsCode): string =>
  join(dirname(workspace), "user/User/globalStorage/patchbay.patchbay");

/** What was promised and is not kept, one sentence each. */
function broken(vscode: VsCode, kept: KeptOnDisk, promises: Promises): string[] {
  const trunk = kept.conversations.filter(({ branchOf }) => branchOf === undefined);
  const turnsOf = (question: string) =>
    trunk.flatMap(({ turns }) => turns).filter((turn) => asks(turn, question));
  const found = [...kept.damage];
  for (const question of promises.heard)
    if (all(kept, question) === 0) found.push(`"${question}" was heard by the service, and is lost`);
  for (const question of promises.answered)
    if (turnsOf(question).some(({ status }) => status !== "done") && all(kept, question) > 0)
      found.push(`"${question}" was shown as ended, and is ${turnsOf(question)[0]?.status}`);
  for (const { id, turns } of kept.conversations) {
    const asked = turns.map(({ prompt }) => prompt);
    const prompts = questionsIn(...asked);
    found.push(...runTogether(...asked).map((one) => `${id} holds questions that ran together: ${one}`));
    if (new Set(prompts).size < prompts.length)
      found.push(`${id} holds a question twice: ${prompts.join(", ")}`);
  }
  const lines = readFileSync(join(vscode.workspace, file), "utf8").trimEnd().split("\n");
  if (new Set(lines).size < lines.length) found.push(`a patch was applied twice: ${lines.join(", ")}`);
  if (lines[0] !== "first" || lines.at(-1) !== "last")
    found.push(`half a patch was applied: ${lines.join(", ")}`);
  for (const line of promises.applied)
    if (!lines.includes(line)) found.push(`the patch of "${line}" is lost`);
  const { names } = promises;
  if (names.length > 0 && !kept.conversations.some(({ title }) => names.includes(title)))
    found.push(`"${names.join('" or "')}" was given as a name, and is lost`);
  return found;
}

/** What a step has made of the conversations besides what it is about: none goes, or is called otherwise unasked. */
function changedBy(step: string, before: KeptOnDisk, { conversations }: KeptOnDisk): string[] {
  const found: string[] = [];
  for (const { id, title } of before.conversations) {
    const now = conversations.find((each) => each.id === id);
    if (now === undefined) found.push(`${id}, called "${title}", is lost`);
    else if (title !== "" && now.title !== title && now.title !== step)
      found.push(`${id} is called "${now.title}", and was "${title}"`);
  }
  // A branch that is new is the whole of what it branched off: nobody has gone on with either yet.
  for (const { id, branchOf, turns, title } of conversations) {
    if (branchOf === undefined || before.conversations.some((each) => each.id === id)) continue;
    const trunk = conversations.find((each) => each.id === branchOf);
    if (title !== trunk?.title || !isDeepStrictEqual(turns.map(inCopy), trunk.turns.map(inCopy)))
      found.push(`the branch ${id} of ${turns.length} turns is not its trunk of ${trunk?.turns.length}`);
  }
  return found;
}

/** What waits for a decision stays with the trunk: a copy that has been opened says that it is not here. */
const inCopy = (turn: Turn): Turn => ({
  ...turn,
  parts: turn.parts.map((part) =>
    part.type === "patch" && part.status === "proposed" ? { ...part, status: "lost" } : part,
  ),
});

/** How many conversations hold it. */
const all = ({ conversations }: KeptOnDisk, question: string): number =>
  conversations.filter(({ turns }) => turns.some((turn) => asks(turn, question))).length;

const asks = ({ prompt }: Turn, question: string): boolean => holdsQuestion(question, prompt);

/** What a person has sent is in the conversation, or in the box again, once the page has heard of its host. */
async function unsent(vscode: VsCode, { sent }: Promises): Promise<string[]> {
  let lost: string[] = [];
  const isNothingLost = async () => {
    const kept = await readKept(storageOf(vscode));
    const boxes = [...kept.drafts, await vscode.composer.inputValue()];
    lost = [...sent].filter((question) => all(kept, question) === 0 && !holdsQuestion(question, ...boxes));
    return lost.length === 0;
  };
  await until(isNothingLost, () => wait(500)).catch(() => undefined);
  return lost;
}

test(`an extension host killed ${kills} times on a journey loses, doubles and half-writes nothing`, async (t) => {
  const { vscode, promises } = await openJourney(t);
  const found: string[] = [];
  const drawn = new Set<StepName>();
  const done = new Set<StepName>();
  let before = await readKept(storageOf(vscode));
  for (let number = 0; number < kills; number += 1) {
    // As long as nothing was asked there is nothing to name or to branch.
    const isEmpty = promises.heard.size === 0;
    const name = (isEmpty ? undefined : stepNames[chance(number * 5, stepNames.length)]) ?? "say";
    drawn.add(name);
    // Half of them at once, where the windows are small.
    const delay = chance(number * 3, 2) === 0 ? chance(number * 7, 100) : chance(number * 11, 1500);
    const moment: Moment = { reached: () => {}, isOver: false };
    const reached = new Promise<void>((resolve) => {
      moment.reached = () => {
        done.add(name);
        resolve();
      };
    });
    // What waits for a window that is dead gives up after a while, and hinders nobody.
    vscode.page.setDefaultTimeout(20_000);
    const step = takeStep(vscode, { name, number }, promises, moment).catch(() => undefined);
    await Promise.race([reached, step]);
    await wait(delay);
    moment.isOver = true;
    killExtensionHost(vscode);
    const kept = await readKept(storageOf(vscode));
    const wrong = [...broken(vscode, kept, promises), ...changedBy(`${name} ${number}`, before, kept)];
    found.push(...wrong.map((what) => `${number}, ${name} +${delay} ms: ${what}`));
    before = kept;
    vscode.page.setDefaultTimeout(patience);
    await vscode.reload();
    await vscode.openChat();
    await vscode.chat.getByText("has been repaired").waitFor({ state: "detached" });
    const lost = await unsent(vscode, promises);
    const mixed = runTogether(await vscode.composer.inputValue());
    found.push(...mixed.map((what) => `${number}, ${name} +${delay} ms: "${what}" ran together in the box`));
    // What stands in the box now will be written over.
    promises.sent.clear();
    found.push(...lost.map((what) => `${number}, ${name} +${delay} ms: "${what}" was sent, and is nowhere`));
    const branches = kept.conversations.filter(({ branchOf }) => branchOf !== undefined).length;
    t.diagnostic(
      `${number} ${name} +${delay}: ${found.length} broken, ${promises.answered.size} answered, called "${promises.names.join('" or "')}", ${branches} branches`,
    );
  }
  assert.deepEqual(found, []);
  // One of a few may come to nothing on a slow machine, a whole kind of them in a long journey never does.
  if (kills > 100) assert.deepEqual(done, drawn, "each kind of step came to what matters in it");
  assert.ok(promises.heard.size >= kills / 4, `${promises.heard.size} questions were heard`);
});
