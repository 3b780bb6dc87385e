// How much a streamed answer costs the page, against named peers in the same run: `npm run bench -- markdown`. Ratios
// travel between machines, milliseconds do not. It prints and fails nothing. Costs are the main thread's processor
// time, of several rounds the least: other programs only ever add.
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser.mjs";
import { buildRenderPage } from "../support/render-page.ts";
import { codeOf, longBlocks, sampleAnswer } from "../support/sample-answer.ts";

interface Bench {
  run(name: string, text: string, options?: { step?: number; sample?: number }): number[];
  foresee(text: string): void;
  warmUp(name: string, text: string): void;
  runFrames(name: string, text: string): Promise<number[]>;
  colours(code: string): { once: number; growing: number };
  isSame(text: string, step: number): Promise<boolean>;
}
declare const window: { readonly bench: Bench };

interface Measured {
  readonly cpu: number;
  /** Milliseconds of each frame, as it was in its fastest round. */
  readonly frames: readonly number[];
}

const rounds = Number(process.env["PATCHBAY_BENCH_ROUNDS"] ?? 5);
const kilobyte = 1024;
const browser = await openBrowser();
const file = await buildRenderPage(".build/bench-page.html", "test/page/browser/bench-entry.ts");
const shownBefore = sampleAnswer(20 * kilobyte, 99);
/** Says how near to plain text anybody could come who shows Markdown. */
const beforehand = "elements known beforehand";

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

/** A page that has shown another answer before. */
const measure = (way: string, source: string, work: (page: Page) => Promise<number[]>): Promise<Measured> =>
  inPage(async (page) => {
    const foresee = (text: string) => page.evaluate((all) => window.bench.foresee(all), text);
    if (way === beforehand) await foresee(shownBefore);
    await page.evaluate(([name, text]) => window.bench.warmUp(name, text), [way, shownBefore] as const);
    if (way === beforehand) await foresee(source);
    await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))");
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const seconds = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    };
    const started = await seconds();
    const frames = await work(page);
    return { cpu: ((await seconds()) - started) * 1000, frames };
  });

function fastest(all: readonly Measured[]): Measured {
  const [first] = all;
  if (first === undefined) throw new Error("Nothing was measured.");
  return {
    cpu: Math.min(...all.map(({ cpu }) => cpu)),
    frames: first.frames.map((_, index) => Math.min(...all.map(({ frames }) => frames[index] ?? 0))),
  };
}

/** The ways take turns, so that a busy moment of the machine meets all of them. */
async function compare<Name extends string>(
  names: readonly Name[],
  text: string,
  { sample = 1, times = rounds } = {},
): Promise<Record<Name, Measured>> {
  const all = names.map((name) => [name, [] as Measured[]] as const);
  for (let round = 0; round < times; round += 1) {
    for (const [name, found] of all) {
      found.push(
        await measure(name, text, (page) =>
          page.evaluate(([way, source, every]) => window.bench.run(way, source, { sample: every }), [
            name,
            text,
            sample,
          ] as const),
        ),
      );
    }
  }
  return Object.fromEntries(all.map(([name, found]) => [name, fastest(found)])) as Record<Name, Measured>;
}

const streamFrames = (name: string, text: string): Promise<Measured> =>
  measure(name, text, (page) =>
    page.evaluate(([way, source]) => window.bench.runFrames(way, source), [name, text] as const),
  );

function row(what: string, value: string, goal = ""): void {
  console.log(`${what.padEnd(58)} ${value.padStart(20)}   ${goal}`);
}
const times = (value: number): string => `${value < 0.1 ? value.toFixed(4) : value.toFixed(2)} ×`;
const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const sum = (frames: readonly number[]): number => frames.reduce((total, time) => total + time, 0);

console.log(`\nStreamed Markdown, 64 characters a frame, style and layout included (best of ${rounds})`);
row("", "measured", "goal");

const small = sampleAnswer(200 * kilobyte);
const {
  patchbay: ours,
  "streaming-markdown": smd,
  "plain text": plain,
  "plain text, set anew": anew,
  [beforehand]: oracle,
} = await compare(
  ["patchbay", "streaming-markdown", "plain text", "plain text, set anew", beforehand],
  small,
);
const again = "markdown-it, everything again";
const sample = 100;
const { [again]: sampled } = await compare([again], small, { sample, times: 1 });
const full = sampled.cpu * sample;
row("200 KB: patchbay", ms(ours.cpu));
row("200 KB: streaming-markdown", ms(smd.cpu));
row("200 KB: plain text, one node a paragraph that grows", ms(plain.cpu));
row("200 KB: plain text, one node a paragraph set anew", ms(anew.cpu));
row(`200 KB: ${again} (1 frame in ${sample})`, ms(full));
row("200 KB: the elements, known beforehand", ms(oracle.cpu));
row("200 KB: known beforehand, against plain text that grows", times(oracle.cpu / plain.cpu));
row("200 KB against streaming-markdown", times(ours.cpu / smd.cpu), "≤ 1.0");
row("200 KB against plain text that grows", times(ours.cpu / plain.cpu), "≤ 1.0");
row("200 KB against plain text set anew", times(ours.cpu / anew.cpu), "≤ 1.0");
row("200 KB against everything again", `1/${(full / ours.cpu).toFixed(0)}`, "≤ 1/80");
row("200 KB: longest frame, without colours", ms(Math.max(...ours.frames)), "≤ 8 ms");
const quarter = Math.floor(ours.frames.length / 4);
const drift = sum(ours.frames.slice(-quarter)) / sum(ours.frames.slice(0, quarter));
row("200 KB: last quarter against first", times(drift), "≤ 1.3");
// As many rounds as of the short one: the least of a few is more than the least of many.
const { patchbay: large, "plain text": largePlain } = await compare(
  ["patchbay", "plain text"],
  sampleAnswer(800 * kilobyte),
);
row("800 KB against 200 KB", times(large.cpu / ours.cpu), "≤ 4.4");
row("  the same of plain text that grows", times(largePlain.cpu / plain.cpu));

const painted = await streamFrames("patchbay", small);
const paintedBeforehand = await streamFrames(beforehand, small);
for (const [name, which] of [
  ["plain text", "that grows"],
  ["plain text, set anew", "set anew"],
] as const) {
  const floor = await streamFrames(name, small);
  row(`200 KB, real frames, paint: against plain text ${which}`, times(painted.cpu / floor.cpu), "≤ 1.15");
  row("  the same of elements known beforehand", times(paintedBeforehand.cpu / floor.cpu));
}
row("200 KB with real frames: longest task, with colours", ms(Math.max(...painted.frames)), "≤ 16 ms");
const asInEditor = await streamFrames("patchbay, colours of the editor", small);
row(
  "200 KB, real frames, paint: the editor's colours against our own",
  times(asInEditor.cpu / painted.cpu),
  "≤ 1.1",
);
row("  its longest task", ms(Math.max(...asInEditor.frames)), "≤ 16 ms");

const goals: Readonly<Record<string, number>> = {
  list: 1.15,
  table: 1.15,
  fence: 0.2,
  paragraph: 1.3,
  quote: 1.3,
  "code in an item": 1.3,
};
for (const [name, make] of Object.entries(longBlocks)) {
  const {
    patchbay: one,
    "streaming-markdown": other,
    [beforehand]: foreseen,
  } = await compare(["patchbay", "streaming-markdown", beforehand], make(50 * kilobyte));
  row(
    `one 50 KB ${name} against streaming-markdown`,
    `${times(one.cpu / other.cpu)} (${ms(one.cpu)})`,
    `≤ ${goals[name]}`,
  );
  row("  the same of elements known beforehand", times(foreseen.cpu / other.cpu));
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
