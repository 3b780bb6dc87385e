// Prints how fast the local estimate is and how far it is off the simulator's counts after calibration, beside the
// usual rule of four characters per token: of texts alone, and of whole requests as the simulator reports them over
// HTTP. Speeds are of the processor, the best of several; errors are the same in every run. Fails nothing.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noWorkspace } from "../../src/files/workspace.ts";
import { createServiceClient } from "../../src/service/service-client.ts";
import { conversationStore, openLibrary } from "../../src/session/conversation-store.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { nodeFileSystem } from "../../src/store/file-system.ts";
import { featuresOf, LocalEstimate } from "../../src/usage/local-estimate.ts";
import { scanText, TextCounter } from "../../src/usage/text-features.ts";
import { openTokenCounts } from "../../src/usage/token-counts.ts";
import { silentLog } from "../../src/util/log.ts";
import { reasoning, text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { chatTokens } from "../sim/tokens.ts";
import { contentKinds, sampleTexts } from "../support/sample-texts.ts";
import { showLatest } from "../support/test-app.ts";

const [prose, code] = [sampleTexts("prose", 20), sampleTexts("code", 21)];
const print = (line: string) => void process.stdout.write(`${line}\n`);
const tries = 9;

function fastest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at += 1) {
    // Of the processor: a busy machine says nothing about the code.
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const share = (sorted: readonly number[], at: number) =>
  `${(100 * (sorted[Math.floor(sorted.length * at)] ?? 0)).toFixed(1).padStart(6)} %`;

print("Local estimate, speed                      M characters/s   MB/s");
for (const kind of [...contentKinds, "one long word"] as const) {
  const sample = kind === "one long word" ? "a".repeat(100_000) : sampleTexts(kind, 40).join("\n");
  const text = sample.repeat(Math.ceil(8_000_000 / sample.length));
  const milliseconds = fastest(() => void scanText(text));
  const speed = (count: number) => (count / milliseconds / 1000).toFixed(0).padStart(8);
  print(`${kind.padEnd(42)} ${speed(text.length)}       ${speed(Buffer.byteLength(text))}`);
}

const draft = sampleTexts("code", 40).join("\n").repeat(2);
const counter = new TextCounter();
counter.update(draft);
let typed = 0;
const keystroke = fastest(() => {
  for (let key = 0; key < 100; key += 1) {
    typed += 1;
    const middle = draft.length >> 1;
    counter.update(draft.slice(0, middle) + "x".repeat(typed) + draft.slice(middle));
  }
});
print(
  `\nA keystroke in a draft of ${(draft.length / 1e6).toFixed(1)} M characters: ${(keystroke * 10).toFixed(0)} µs`,
);

print("\nError against the simulator's counts           median     90 %      max");
for (const kind of contentKinds) {
  const texts = sampleTexts(kind, 220);
  const asMessage = (text: string) => featuresOf({ texts: [text], messages: 1 });
  const counted = texts.map((content) => chatTokens([{ role: "user", content }]).length);
  const report = (name: string, estimate: (text: string) => number) => {
    const misses = texts.map(
      (text, at) => Math.abs(estimate(text) - (counted[at] ?? 1)) / (counted[at] ?? 1),
    );
    const sorted = misses.slice(20).toSorted((a, b) => a - b);
    print(
      `${`${kind}, ${name}`.padEnd(44)} ${share(sorted, 0.5)} ${share(sorted, 0.9)} ${share(sorted, 0.999)}`,
    );
  };
  const local = new LocalEstimate();
  report("characters ÷ 4", (text) => text.length / 4);
  report("never counted", (text) => local.count("m", asMessage(text)).tokens);
  for (const [at, text] of texts.slice(0, 20).entries()) {
    local.learn("m", asMessage(text), counted[at] ?? 0);
    if (at === 4) report("after 5 counts", (each) => local.count("m", asMessage(each)).tokens);
  }
  report("after 20 counts", (text) => local.count("m", asMessage(text)).tokens);
}

await wholeRequests();

/** Twenty questions with code, tools and all that goes along: what was said before sending against what was reported. */
async function wholeRequests(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-bench-"));
  const sim = await startSimulator();
  const connection = async () => ({ baseUrl: sim.url, key: sim.key });
  const client = createServiceClient({ connection, settings: () => ({}), log: silentLog });
  const counts = await openTokenCounts({
    ...{ client, fs: nodeFileSystem, folder, log: silentLog },
    mayAskUnasked: () => false,
  });
  const library = openLibrary(folder, "", Date.now);
  const shown = await showLatest({
    ...{
      client,
      counts,
      workspace: noWorkspace,
      store: conversationStore(library),
      log: silentLog,
      now: Date.now,
    },
    newId: randomUUID,
    settings: () => ({
      ...defaultConversationSettings,
      instructions: { user: prose[0] ?? "", workspaceFile: false },
    }),
    defaultModel: () => "svc-k3",
  });
  const misses: number[] = [];
  for (const [at, prompt] of prose.entries()) {
    const attachments = [{ kind: "text" as const, name: `${at}.ts`, text: code[at] ?? "" }];
    const outgoing = await shown.session.preview({ prompt, attachments }, AbortSignal.timeout(60_000));
    const { tokens } = counts.aboutRequest(outgoing);
    sim.reply(reasoning("hm"), text(`${prose[at + 1] ?? ""}\n${code[at + 1] ?? ""}`));
    const turn = await shown.session.send({ prompt, attachments });
    const reported = turn?.usage[0]?.input ?? 1;
    misses.push(Math.abs(tokens - reported) / reported);
  }
  for (const [name, some] of [
    ["the first three", misses.slice(0, 3)],
    ["the sixth to the twentieth", misses.slice(5)],
  ] as const) {
    const sorted = some.toSorted((a, b) => a - b);
    print(
      `${`whole requests, ${name}`.padEnd(44)} ${share(sorted, 0.5)} ${share(sorted, 0.9)} ${share(sorted, 0.999)}`,
    );
  }
  await shown.close();
  await library.close();
  await counts.saved();
  client.dispose();
  await sim.close();
  rmSync(folder, { recursive: true, force: true });
}
