// How much a streamed answer costs the page, against named peers in the same run: `npm run bench -- markdown`. Ratios
// travel between machines, milliseconds do not. It prints and fails nothing.
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser.mjs";
import { buildRenderPage } from "../support/render-page.ts";
import { codeOf, longBlocks, sampleAnswer } from "../support/sample-answer.ts";

interface Measured {
  readonly total: number;
  readonly longest: number;
  readonly firstQuarter: number;
  readonly lastQuarter: number;
}

interface Bench {
  run(name: string, text: string, options?: { step?: number; sample?: number }): Measured;
  runFrames(name: string, text: string, step?: number): Promise<Measured>;
  colours(code: string): { once: number; growing: number };
  isSame(text: string, step: number): Promise<boolean>;
}
declare const window: { readonly bench: Bench };

const rounds = Number(process.env["PATCHBAY_BENCH_ROUNDS"] ?? 3);
const kilobyte = 1024;
const browser = await openBrowser();
const file = await buildRenderPage(".build/bench-page.html", "test/page/browser/bench-entry.ts");

/** Each measurement in a page of its own, so that none pays for another's garbage. */
async function inPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

async function median(measure: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure());
  const sorted = all.sort((one, other) => one.total - other.total);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("Nothing was measured.");
  return middle;
}

const stream = (name: string, text: string, sample = 1): Promise<Measured> =>
  median(() =>
    inPage((page) =>
      page.evaluate(([way, source, every]) => window.bench.run(way, source, { sample: every }), [
        name,
        text,
        sample,
      ] as const),
    ),
  );
const streamFrames = (name: string, text: string): Promise<Measured> =>
  median(() =>
    inPage((page) =>
      page.evaluate(([way, source]) => window.bench.runFrames(way, source), [name, text] as const),
    ),
  );

function row(what: string, value: string, goal: string): void {
  console.log(`${what.padEnd(58)} ${value.padStart(18)}   ${goal}`);
}
const times = (value: number): string => `${value < 0.1 ? value.toFixed(4) : value.toFixed(2)} ×`;
const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

console.log(`\nStreamed Markdown, 64 characters a frame, layout included (median of ${rounds})`);
row("", "measured", "goal");

const small = sampleAnswer(200 * kilobyte);
const large = sampleAnswer(800 * kilobyte);
const ours = await stream("patchbay", small);
const smd = await stream("streaming-markdown", small);
const plain = await stream("plain text", small);
const full = await stream("markdown-it, everything again", small, 100);
row("200 KB: patchbay", ms(ours.total), "");
row("200 KB: streaming-markdown", ms(smd.total), "");
row("200 KB: plain text, one node a paragraph", ms(plain.total), "");
row("200 KB: markdown-it, everything again (1 frame in 100)", ms(full.total), "");
row("200 KB against streaming-markdown", times(ours.total / smd.total), "≤ 1.0");
row("200 KB against plain text", times(ours.total / plain.total), "≤ 1.0");
row("200 KB against everything again", `1/${(full.total / ours.total).toFixed(0)}`, "≤ 1/80");
row("200 KB: longest frame, without colours", ms(ours.longest), "≤ 8 ms");
row("200 KB: last quarter against first", times(ours.lastQuarter / ours.firstQuarter), "≤ 1.3");
const oursLarge = await stream("patchbay", large);
row("800 KB against 200 KB", times(oursLarge.total / ours.total), "≤ 4.4");

const oursFrames = await streamFrames("patchbay", small);
const plainFrames = await streamFrames("plain text", small);
row("200 KB with real frames, against plain text", times(oursFrames.total / plainFrames.total), "≤ 1.15");
row("200 KB with real frames: longest task, with colours", ms(oursFrames.longest), "≤ 16 ms");

const goals: Readonly<Record<string, number>> = {
  list: 1.15,
  table: 1.15,
  fence: 0.2,
  paragraph: 1.3,
  quote: 1.3,
  "code in an item": 1.3,
};
for (const [name, make] of Object.entries(longBlocks)) {
  const text = make(50 * kilobyte);
  const one = await stream("patchbay", text);
  const other = await stream("streaming-markdown", text);
  row(
    `one 50 KB ${name} against streaming-markdown`,
    `${times(one.total / other.total)} (${ms(one.total)})`,
    `≤ ${goals[name]}`,
  );
}

const coloured = await inPage((page) =>
  page.evaluate((code) => {
    window.bench.colours(code);
    return window.bench.colours(code);
  }, codeOf(400)),
);
row(
  "400 lines of code coloured as they grow, against once",
  times(coloured.growing / coloured.once),
  "≤ 3.5",
);
const same = await inPage((page) =>
  page.evaluate((text) => window.bench.isSame(text, 7), small.slice(0, 60_000)),
);
row("streamed nodes equal those of one shot", same ? "yes" : "NO", "yes");
await browser.close();
