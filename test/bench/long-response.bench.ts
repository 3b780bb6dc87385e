// What one very long response costs the page: its elements in the document, and a key in the composer while it streams
// and when it stands. `npm run bench -- long-response`. It prints and fails nothing.
import type { Page } from "playwright-core";
import { closeBrowser, openPanel } from "../page/panel/support/panel.ts";
import { smallHost } from "../page/panel/support/small-host.ts";
import { codeOf, longBlocks, sampleAnswer } from "../support/sample-answer.ts";

const kilobyte = 1024;
const texts: Readonly<Record<string, string>> = {
  "2 MB of everything": sampleAnswer(2_000 * kilobyte),
  "a list of 500 KB": longBlocks["list"]?.(500 * kilobyte) ?? "",
  "a quote of 500 KB": longBlocks["quote"]?.(500 * kilobyte) ?? "",
  "a table of 500 KB": longBlocks["table"]?.(500 * kilobyte) ?? "",
  "a paragraph of 200 KB": longBlocks["paragraph"]?.(200 * kilobyte) ?? "",
  "50,000 lines of code": `\`\`\`ts\n${codeOf(50_000)}\n\`\`\``,
};

/** Main-thread milliseconds from now on. */
async function busyTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  };
  const before = await read();
  return async () => (await read()) - before;
}

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const wait = (time: number) => new Promise((done) => setTimeout(done, time));

declare const window: { delays: number[] };

/** Milliseconds until a key is shown, in order. */
async function keys(page: Page): Promise<readonly number[]> {
  await page.getByRole("textbox").first().focus();
  await page.evaluate(() => {
    window.delays = [];
  });
  for (let at = 0; at < 20; at += 1) {
    await page.keyboard.press("a");
    await wait(30);
  }
  return page.evaluate(() => window.delays.sort((one, other) => one - other));
}

const row = (what: string, value: string, goal = ""): void =>
  console.log(`${what.padEnd(50)} ${value.padStart(22)}   ${goal}`);
const ofKeys = (all: readonly number[]) =>
  `${all[Math.floor(all.length / 2)]?.toFixed(0)}, at most ${all.at(-1)?.toFixed(0)} ms`;

for (const [name, text] of Object.entries(texts)) {
  if (!name.includes(process.env["PATCHBAY_BENCH_ONLY"] ?? "")) continue;
  const host = smallHost();
  const panel = await openPanel(host, { theme: "dark", width: 500 });
  const { page } = panel;
  await page.evaluate(() => {
    const shown = ({ timeStamp }: Event) =>
      requestAnimationFrame(() => setTimeout(() => window.delays.push(performance.now() - timeStamp)));
    document.addEventListener("keydown", shown, true);
  });
  const before = await keys(page);
  host.happen({ type: "started", turn: "n", at: 1, model: "svc-k3", route: "responses", prompt: "Go" });
  const busy = await busyTime(page);
  const last = text.length - 64 * 100;
  const step = 16 * kilobyte;
  for (let at = 0; at < last; at += step) {
    const delta = text.slice(at, Math.min(last, at + step));
    host.happen({ type: "text", turn: "n", part: "t", delta });
    await wait(16);
  }
  await panel.settled();
  // What is left of it is drawn in slices.
  for (let count = 0, now = -1; now !== count; ) {
    count = now;
    await wait(500);
    now = await elements(page);
  }
  const drawn = await busy();
  const streaming = keys(page);
  let isOver = false;
  void streaming.then(() => (isOver = true));
  for (let at = last; at < text.length && !isOver; at += 64) {
    host.happen({ type: "text", turn: "n", part: "t", delta: text.slice(at, at + 64) });
    await wait(16);
  }
  const whileStreaming = await streaming;
  host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
  await panel.settled();
  console.log(`\n${name}\n`);
  row("drawn, of the main thread", `${drawn.toFixed(0)} ms`);
  row("a key before it; while it streams", `${ofKeys(before)}; ${ofKeys(whileStreaming)}`, "≤ 16 ms of ours");
  row("a key when it stands", ofKeys(await keys(page)), "≤ 16 ms of ours");
  for (const [where, share] of [
    ["end", 1],
    ["middle", 0.5],
    ["top", 0],
  ] as const) {
    await page.evaluate((at) => {
      const scroller = document.querySelector(".transcript");
      scroller?.scrollTo(0, scroller.scrollHeight * at);
    }, share);
    await panel.settled();
    row(`elements in the document at its ${where}`, String(await elements(page)), "≤ 5,000");
  }
  await panel.close();
}
await closeBrowser();
