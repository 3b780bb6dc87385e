// Prints what the store costs with 1,000 conversations, one of them of 10,000 turns and 200 MiB: the list with and
// without its index, opening, reading along, a turn appended, a search, an edit far back. Fails nothing.
import { mkdtempSync, rmSync, statSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationStore } from "../../src/session/conversation-store.ts";
import { importVisible } from "../../src/session/internal/sanitize-import.ts";
import { Transcript } from "../../src/session/internal/transcript.ts";
import { nodeFileSystem } from "../../src/store/file-system.ts";
import type { OpenJournal } from "../../src/store/journal-records.ts";
import { createLibrary, type Library } from "../../src/store/library.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), "patchbay-store-bench-"));
const MiB = 1024 * 1024;
const log = (id: string) => join(folder, "conversations", id, "log.jsonl");

/** Another library is another window that has just been opened: it knows nothing. */
const freshLibrary = (): Library =>
  createLibrary({
    ...{ fs: nodeFileSystem, folder, place: "" },
    now: Date.now,
    arriving: importVisible,
  });

async function time<T>(what: string, goal: string, work: () => Promise<T>): Promise<T> {
  const used = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  const figure = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 2 : 0).padStart(8);
  print(
    `${what.padEnd(62)} ${figure(took)} ms ${figure((user + system) / 1000)} ms of the processor   ${goal}`,
  );
  return result;
}

/** As a turn leaves it: the question, deltas as they were gathered, the items that go back, the figures, the end. */
async function addTurn(journal: OpenJournal, number: number, answer: string): Promise<void> {
  const turn = `turn-${number}`;
  const at = 1_700_000_000_000 + number * 1000;
  const item = (role: string, content: string) => JSON.stringify({ type: "message", role, content });
  const lazy = { durable: false };
  const question = `Question ${number}: what does this do?`;
  const appended = [
    journal.append(
      { type: "started", turn, at, model: "svc-k3", route: "responses", prompt: question },
      lazy,
    ),
    journal.append({ type: "replay", turn, items: [item("user", question)] }, lazy),
  ];
  for (let from = 0; from < answer.length; from += 1000)
    appended.push(
      journal.append({ type: "text", turn, part: "1/a", delta: answer.slice(from, from + 1000) }, lazy),
    );
  appended.push(
    journal.append({ type: "replay", turn, items: [item("assistant", answer)] }, lazy),
    journal.append(
      { type: "usage", turn, at, usage: { input: 1000, cached: 900, cacheWrite: 50, output: 100 } },
      lazy,
    ),
    journal.append({ type: "ended", turn, at, ending: "done" }, lazy),
  );
  await Promise.all(appended);
}

async function fill(): Promise<void> {
  const library = freshLibrary();
  const small = "A short answer with some words. ".repeat(60);
  for (let conversation = 0; conversation < 999; conversation += 1) {
    const journal = await library.create(`small-${conversation}`);
    for (let turn = 0; turn < 3; turn += 1) await addTurn(journal, turn, small);
    await journal.close();
  }
  const journal = await library.create("large");
  const large = "A long answer, with code: `const value = compute(another, 42);`\n".repeat(150);
  for (let turn = 0; turn < 10_000; turn += 1) await addTurn(journal, turn, large);
  await library.close();
}

const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);

async function run(): Promise<void> {
  await time("making it", "", fill);
  const ids = (await freshLibrary().list()).map(({ id }) => id);
  const size = (id: string) => statSync(log(id)).size / MiB;
  print(
    `\n${ids.length} conversations, ${sum(ids.map(size)).toFixed(0)} MiB; the largest ${size("large").toFixed(0)} MiB\n`,
  );

  await time("list, index up to date", "goal 300 ms", () => freshLibrary().list());
  unlinkSync(join(folder, "index.json"));
  await time("list, index lost: every journal is read", "", () => freshLibrary().list());
  await time("list again in the same window", "", async () => {
    const library = freshLibrary();
    await library.list();
  });

  for (const id of ["small-7", "large"]) {
    const library = freshLibrary();
    const before = process.memoryUsage().rss;
    // As the assistant opens it: what is sent back to the service is read when something is sent.
    const isShown = (type: string) => type !== "replay";
    const journal = await time(`open ${id}: checked, parsed`, id === "large" ? "goal 600 ms" : "", () =>
      library.open(id, isShown),
    );
    await time("  what is sent back, at the first question", "", () =>
      journal.read((type) => type === "replay"),
    );
    await time("  understood, as the assistant has it", "", async () => {
      const shelved = await conversationStore(library).open(id);
      return new Transcript(id, shelved.records);
    });
    print(`  memory grew by ${((process.memoryUsage().rss - before) / MiB).toFixed(0)} MiB`);
    await time("  a turn appended, one fsync at its end", "", async () => {
      await addTurn(journal, 1_000_000, "Short.");
      await journal.append({ type: "ended", turn: "x", at: 1, ending: "done" }, { durable: true });
    });
    await time("  the last turn cut off", "goal 300 ms", () => journal.cut("turn-1000000"));
    await library.close();
  }
  const seconds = await appendCost();
  print(`\nAppending: ${seconds.lazy.toFixed(0)} records/s, ${seconds.durable.toFixed(0)} durable ones/s`);
  const searching = freshLibrary();
  await time("full-text search through everything, a word that is nowhere", "", async () => {
    for await (const _ of searching.search("zebrafish", new AbortController().signal)) break;
  });
  await searching.close();
}

async function appendCost(): Promise<{ lazy: number; durable: number }> {
  const library = freshLibrary();
  const journal = await library.create("append");
  const delta = { type: "text", turn: "1", part: "1/a", delta: "x".repeat(200) };
  const perSecond = async (count: number, durable: boolean) => {
    const began = performance.now();
    if (durable) for (let at = 0; at < count; at += 1) await journal.append(delta, { durable });
    else await Promise.all(Array.from({ length: count }, () => journal.append(delta, { durable })));
    return (count / (performance.now() - began)) * 1000;
  };
  const cost = { lazy: await perSecond(20_000, false), durable: await perSecond(200, true) };
  await library.close();
  return cost;
}

try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
