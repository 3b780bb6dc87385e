// Long days: hundreds of turns with all that happens in them, many conversations, a host that is killed after every twenty
// turns and started again on the same disk, and one that lives on. Nothing that was shown is lost, doubled or half
// written, and nothing grows that has no reason to.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Turn } from "../../../src/conversation/state.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { removeFolder } from "../../support/remove-folder.mjs";
import { openPanel, type Panel } from "../panel/support/panel.ts";
import { DayHost } from "./day-host.ts";
import { type FromDay, workspaceFolder } from "./day-order.ts";
import { DayPromises } from "./day-promises.ts";
import { attached, daily, dailyService, patched, type Step } from "./day-steps.ts";
import { type DayFigures, grown } from "./growth-limits.ts";

const isLongRun = process.env["PATCHBAY_LONG"] !== undefined;
/** Lives of the host that end by a kill, of twenty turns each: enough for each of the steps to be killed in some order. */
const lives = isLongRun ? 15 : 6;
/** Turns of the one that is not killed. */
const calm = 60;
const betweenLooks = 5;

/** What turns and patches came to. */
const outcomes = [
  "done",
  "failed",
  "interrupted",
  "patch applied",
  "patch rejected",
  "patch undone",
  "stopped",
];

/** The same numbers in every run. */
const chance = (number: number, most: number) => (Math.imul(number + 1, 2_654_435_761) >>> 8) % most;

interface Day {
  readonly host: DayHost;
  readonly panel: Panel;
  readonly sim: Simulator;
  readonly promises: DayPromises;
  readonly conversations: string[];
  /** How many texts were typed. */
  typed: number;
  readonly folder: string;
  readonly root: string;
}

async function openDay(t: TestContext): Promise<Day> {
  const promises = new DayPromises();
  const sim = await startSimulator({ assistant: dailyService(promises.heard) });
  const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-days-")));
  mkdirSync(join(root, workspaceFolder));
  writeFileSync(join(root, workspaceFolder, patched), "first\nlast\n");
  writeFileSync(join(root, workspaceFolder, attached), "A note that is the first of many.\n".repeat(40));
  const folder = join(root, "kept");
  const host = new DayHost({ url: sim.url, key: sim.key, folder, root });
  const conversations: string[] = [];
  host.onMessage((message) => {
    promises.take(message);
    if (message.what === "turn" && !conversations.includes(message.conversation))
      conversations.push(message.conversation);
  });
  const panel = await openPanel({ connect: host.connect });
  t.after(async () => {
    await host.kill();
    await panel.close();
    await sim.close();
    await removeFolder(root);
  });
  return { host, panel, sim, promises, conversations, typed: 0, folder, root };
}

const isEnd =
  (prompt: string) =>
  (message: FromDay): boolean =>
    message.what === "turn" && message.turn.prompt === prompt;

/** The host tells the page of something that holds this. */
const tells =
  (words: string) =>
  (message: FromDay): boolean =>
    message.what === "page" && message.message.type === "events" && JSON.stringify(message).includes(words);

const isPatch: ReadonlySet<Step> = new Set<Step>(["apply", "undo", "reject"]);
const isLong: ReadonlySet<Step> = new Set<Step>(["stop", "follow"]);

/** `reached`: what matters has begun; from here on everything may end. */
async function take(day: Day, step: Step, number: number, reached: () => void): Promise<void> {
  const { host, panel, promises } = day;
  const { page } = panel;
  const question = `${step} ${number}`;
  const box = page.getByRole("textbox", { name: "Ask about your code" });
  /** May come to nothing where it is killed. */
  const expected = (isIt: (message: FromDay) => boolean) => {
    const message = host.next(isIt);
    message.catch(() => {});
    return message;
  };
  const send = async (words: string) => {
    // What the page is about to be told must not come between the words and the key.
    await panel.settled();
    const taken = expected(
      (message) =>
        message.what === "page" && message.message.type === "taken" && message.message.prompt === words,
    );
    await box.fill(words);
    await box.press("Enter");
    day.typed += 1;
    await taken;
  };
  const ended = expected(isEnd(question));
  // What a step does not wait for is not looked for, message by message.
  const proposed = isPatch.has(step) ? expected(tells('"status":"proposed"')) : undefined;
  const spoken = isLong.has(step) ? expected(tells('"type":"text"')) : undefined;
  if (step === "attach") host.fromPage({ type: "attach", attachment: { kind: "file", path: attached } });
  await send(question);
  reached();
  switch (step) {
    case "apply":
    case "undo":
    case "reject": {
      const call = /"call":"(call-\d+)"/.exec(JSON.stringify(await proposed))?.[1] ?? "";
      const kind = step === "reject" ? "reject" : "accept";
      await ended;
      const status = kind === "accept" ? "applied" : "rejected";
      const isDecided = ({ parts }: Turn) =>
        parts.some((part) => part.type === "patch" && part.call === call && part.status === status);
      const decided = expected(
        (message) => message.what === "turn" && message.turn.prompt === question && isDecided(message.turn),
      );
      // Some above the box, where nothing else waits; the others as the review decides.
      let deciding: Promise<unknown> | undefined;
      const alone = page.locator(".changes").getByRole("button", { name: "Accept", exact: true });
      if (kind === "accept" && number % 6 === 0 && (await alone.count()) === 1)
        await page
          .locator(".changes [data-armed]")
          .getByRole("button", { name: "Accept", exact: true })
          .click();
      else deciding = host.do({ what: kind, call });
      deciding?.catch(() => {});
      reached();
      await deciding;
      await decided;
      if (step !== "undo") return;
      promises.undoing.add(call);
      await host.do({ what: "undo", call });
      promises.undoing.delete(call);
      return;
    }
    case "stop":
      await spoken;
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      break;
    case "follow": {
      const behind = `say ${number}.5`;
      await spoken;
      const after = expected(isEnd(behind));
      await send(behind);
      await after;
    }
  }
  await ended;
}

/** A conversation of its own now and then; else one of those that there are. */
async function change({ host, conversations }: Day, number: number): Promise<void> {
  const draw = chance(number * 3, 10);
  const conversation = conversations.at(-1 - chance(number * 7, 8));
  if (draw < 3 || conversation === undefined) await host.do({ what: "new" });
  else if (draw < 6) await host.do({ what: "open", conversation });
}

/** With nothing in sight but an empty conversation. */
async function look({ host, panel, folder, typed }: Day): Promise<DayFigures> {
  await host.do({ what: "new" });
  await panel.settled();
  const figures = await host.do({ what: "figures" });
  if (figures === undefined) throw new Error("The host has counted nothing.");
  const engine = await panel.page.context().newCDPSession(panel.page);
  await engine.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners: pageListeners } = await engine.send("Memory.getDOMCounters");
  const { usedSize: pageHeap } = await engine.send("Runtime.getHeapUsage");
  await engine.detach();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { ...figures, nodes: nodes - typed, pageListeners, pageHeap, bytes, files: files.length };
}

test(`a host killed ${lives} times in ${lives * daily.length} turns and then run for ${calm} more loses, doubles and leaks nothing`, async (t) => {
  const day = await openDay(t);
  const { host, sim, promises, folder, root } = day;
  const broken: string[] = [];
  const killed: DayFigures[] = [];
  let number = 0;
  const next = async (step: Step, reached = () => {}) => {
    await change(day, number);
    await take(day, step, number++, reached);
  };
  for (let life = 0; life < lives; life += 1) {
    await host.start();
    const steps = stepsOf(life);
    const last = steps.pop() ?? "say";
    for (const step of steps) await next(step);
    killed.push(await look(day));
    // Killed in the middle of it, or just behind it.
    let over: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      over = next(last, resolve).then(resolve, () => resolve());
    });
    await wait(chance(life * 11, 80));
    await host.kill();
    // The page of the next life shows the same buttons.
    await over;
    const found = await promises.broken(folder, root);
    broken.push(...found.map((what) => `after life ${life}, killed at "${last}": ${what}`));
    // What stands in the box again will be written over.
    promises.sent.clear();
  }
  assert.deepEqual(broken, []);

  await host.start();
  const alive: DayFigures[] = [];
  for (let turn = 0; turn < calm; turn += 1) {
    await next(stepsOf(lives + 1)[turn % daily.length] ?? "say");
    if (turn % betweenLooks === betweenLooks - 1) alive.push(await look(day));
  }
  for (const conversation of promises.inDoubt()) await host.do({ what: "open", conversation });
  await host.do({ what: "close" });
  await promises.settle(folder);
  assert.deepEqual(await promises.broken(folder, root), []);
  assert.deepEqual(sim.complaints, [], "and no request ever broke a rule");
  // A kill between a proposal and what is decided about it leaves it as it is: it waits.
  const decided = promises.outcomes().filter((each) => each !== "patch proposed");
  assert.deepEqual(decided, outcomes, "and all happened that a day can bring");
  assert.deepEqual(grown(killed), [], "from life to life");
  assert.deepEqual(grown(alive), [], "in the life that nobody ended");
});

/** Each in its own place in each life, so that another one is killed. */
function stepsOf(life: number): Step[] {
  const steps: Step[] = daily.map((_, turn) => daily[(turn + life * 7) % daily.length] ?? "say");
  if (life % 4 === 3) steps[steps.indexOf("broken")] = "silent";
  return steps;
}
