// What a long conversation costs the page, against the two ways most panels draw one, in the same run:
// `npm run bench -- panel`. Ratios travel between machines, milliseconds do not. It prints and fails nothing.
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { Turn } from "../../src/conversation/state.ts";
import { pageTime } from "../page/panel/support/large-patches.ts";
import { closeBrowser, openPanel, type Panel } from "../page/panel/support/panel.ts";
import { turn } from "../page/panel/support/sample-turn.ts";
import { type SmallHost, smallHost } from "../page/panel/support/small-host.ts";
import { openBrowser } from "../support/browser.mjs";
import { buildRenderPage } from "../support/render-page.ts";
import { sampleAnswer } from "../support/sample-answer.ts";

const rounds = Number(process.env["PATCHBAY_BENCH_ROUNDS"] ?? 3);
const count = Number(process.env["PATCHBAY_BENCH_TURNS"] ?? 2_000);
const answer = sampleAnswer(8 * 1024);

/** Answers of very different lengths, 1.7 KB on average. */
const texts = Array.from({ length: count }, (_, index) => {
  const start = (index * 613) % 4_000;
  return `## Answer ${index}\n\n${answer.slice(start, start + 200 + ((index * 37) % 3_000))}`;
});
const turns: readonly Turn[] = texts.map((text, index) =>
  turn(`t${index}`, { prompt: `Question ${index}`, parts: [{ type: "text", id: "t", text }] }),
);

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function repeated(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await measure());
  return median(values);
}

const hostOf = (shown: readonly Turn[]) => smallHost({ conversation: { id: "c", turns: [...shown] } });

async function withPanel<T>(
  shown: readonly Turn[],
  work: (panel: Panel, host: SmallHost) => Promise<T>,
): Promise<T> {
  const host = hostOf(shown);
  const panel = await openPanel(host, { theme: "dark", width: 500 });
  try {
    return await work(panel, host);
  } finally {
    await panel.close();
  }
}

/**
 * From the beginning of navigation until the last answer is there and the page takes keys; and the main thread's time
 * up to two frames later, which other programs do not add to.
 */
async function interactive(): Promise<{ readonly wall: number; readonly cpu: number }> {
  let busy = () => Promise.resolve(Number.NaN);
  const before = async (page: Page) => {
    busy = await pageTime(page);
  };
  const panel = await openPanel(hostOf(turns), { theme: "dark", width: 500, before });
  try {
    const cpu = await busy();
    const wall = await panel.page.evaluate(() => performance.getEntriesByName("interactive")[0]?.startTime);
    return { wall: wall ?? Number.NaN, cpu };
  } finally {
    await panel.close();
  }
}

const allHere = (page: Page) => page.locator(".turns[data-above='0']").waitFor({ state: "attached" });

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1024 / 1024;
}

/** Main-thread milliseconds a frame, while an answer of 600 deltas streams below these turns. */
async function streamed(above: readonly Turn[]): Promise<number> {
  return withPanel(above, async ({ page, settled }, host) => {
    await allHere(page);
    host.happen({ type: "started", turn: "n", at: 1, model: "svc-k3", route: "responses", prompt: "Go on" });
    await settled();
    const busy = await pageTime(page);
    const frames = 600;
    for (let frame = 0; frame < frames; frame += 1) {
      host.happen({ type: "text", turn: "n", part: "t", delta: answer.slice(frame * 12, frame * 12 + 12) });
      await new Promise((done) => setTimeout(done, 4));
    }
    await settled();
    return (await busy()) / frames;
  });
}

async function peer(visibility: "visible" | "auto"): Promise<{ drawn: number; heap: number }> {
  const page = await browser.newPage({ viewport: { width: 500, height: 700 } });
  await page.goto(pathToFileURL(allInDom).href);
  const drawn = await page.evaluate(([all, how]) => window.drawAll(all, how), [texts, visibility] as const);
  const heap = await heapMegabytes(page);
  await page.close();
  return { drawn, heap };
}
declare const window: { drawAll(texts: readonly string[], visibility: string): Promise<number> };

function row(what: string, value: string, goal: string): void {
  console.log(`${what.padEnd(62)} ${value.padStart(12)}   ${goal}`);
}
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

const browser = await openBrowser();
const allInDom = await buildRenderPage(".build/all-in-dom.html", "test/page/browser/all-in-dom-entry.ts");
const kilobytes = Math.round(texts.join("").length / 1024);
console.log(`\n${count} turns, ${kilobytes} KB of Markdown, median of ${rounds}\n`);

const opened: { readonly wall: number; readonly cpu: number }[] = [];
for (let round = 0; round < rounds; round += 1) opened.push(await interactive());
const open = median(opened.map(({ wall }) => wall));
const everything = await repeated(async () => (await peer("visible")).drawn);
const skipped = await repeated(async () => (await peer("auto")).drawn);
row("open to interactive: a window of turns (ours, with the bridge)", ms(open), "≤ 500 ms");
row("  the main thread's part of that", ms(Math.min(...opened.map(({ cpu }) => cpu))), "");
row(
  "  all of it in the document, the same renderer",
  ms(everything),
  `${(everything / open).toFixed(1)} × ours`,
);
row("  the same with content-visibility", ms(skipped), `${(skipped / open).toFixed(1)} × ours`);

const heap = await withPanel(turns, async ({ page, settled }) => {
  await allHere(page);
  await settled();
  return heapMegabytes(page);
});
row("page heap, every turn loaded", `${heap.toFixed(0)} MB`, "≤ 150 MB");
row("  all of it in the document", `${(await peer("visible")).heap.toFixed(0)} MB`, "");

const few = turns.slice(-12);
const alone = await repeated(() => streamed([]));
const belowFew = await repeated(() => streamed(few));
const belowAll = await repeated(() => streamed(turns));
row("a streamed delta below nothing", ms(alone), "");
row("  below as many turns as are drawn", ms(belowFew), `${(belowFew / alone).toFixed(2)} × nothing`);
row(`  below ${count} turns`, ms(belowAll), `${(belowAll / belowFew).toFixed(2)} × those, goal ≤ 1.2`);

await browser.close();
await closeBrowser();
