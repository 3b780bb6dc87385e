// What the core says in English is said in the reader's language in the editor's own windows: every sentence that the
// core really makes there is put in, and comes out in Chinese.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readBaseUrl } from "../../../src/core/api/address.ts";
import { checkPlan } from "../../../src/core/api/connection-check.ts";
import { toProblem } from "../../../src/core/api/errors.ts";
import type { Fault } from "../../../src/core/api/fault.ts";
import { refuseFileId } from "../../../src/core/api/files.ts";
import { readKey } from "../../../src/core/api/key.ts";
import { readEdited } from "../../../src/core/inspect/read-edited.ts";
import { unreadable, unsaved } from "../../../src/core/store/store-error.ts";
import { readPricing } from "../../../src/core/tokens/price.ts";
import { checkSentences } from "../../../src/shell/connection/check-sentences.ts";
import { said, saying } from "../../../src/shell/said.ts";
import { status } from "../../sim/answers.ts";
import { refusing } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

const bundle: Record<string, string> = JSON.parse(readFileSync("media/l10n/bundle.l10n.zh-cn.json", "utf8"));
const sayCheck = saying({ whole: checkSentences, begun: [] });
const t = (sentence: string) => bundle[sentence] ?? sentence;
const inChinese = (message: string) => said(sayCheck(message, t, "zh-cn"), t, "zh-cn");

/** Proper names of the interface's operations stay what they are. */
const names = new Set(["Responses", "Chat completions"]);

function assertChinese(sentences: readonly string[]): void {
  assert.notEqual(sentences.length, 0);
  for (const sentence of sentences)
    if (!names.has(sentence)) assert.match(inChinese(sentence), /\p{Script=Han}/u, sentence);
}

const messageOf = (read: { readonly message?: string } | object): string =>
  "message" in read && typeof read.message === "string" ? read.message : "";

test("what cannot be an address, a key, a file id or a price table is refused in Chinese", () => {
  const addresses = ["", "not", "ftp://h", "http://h", "https://a:b@h", "https://h/?q", "https://h/#f"];
  assertChinese(addresses.map((address) => messageOf(readBaseUrl(address))));
  assertChinese(["", "a\nb", "a b", "ä"].map((key) => messageOf(readKey(key))));
  assertChinese(["", "..", "x".repeat(300), "a\u0000"].map((id) => refuseFileId(id) ?? ""));
  const rates = { input: 1, cached: 1, write5m: 1, write1h: 1 };
  const tables = ["words", { currency: "" }, { currency: "EUR", perMillion: { "svc-k3": rates } }];
  assertChinese(tables.map((table) => messageOf(readPricing(table))));
  assert.match(inChinese(messageOf(readPricing(tables[2]))), /“perMillion › svc-k3 › output”/);
});

test("faults are told in Chinese; names, numbers, times and what the service said stay", () => {
  const status = (code: number, message = ""): Fault =>
    ({ at: "status", status: code, words: { message }, sentBytes: 1, headers: () => undefined }) as never;
  const context = { host: "api.test", mask: (text: string) => text, visible: false };
  const told = (fault: Fault, retryAt?: number) => toProblem(fault, { ...context, retryAt } as never).message;
  const statuses = [400, 401, 402, 403, 404, 407, 408, 413, 429, 500, 503];
  const others = ["html", "cut", "empty", "gibberish", "damaged", "too-large", "unsent", "bug", "not-http"];
  assertChinese([
    ...statuses.map((code) => told(status(code, "No."))),
    ...others.map((at) => told({ at } as Fault)),
    ...(["connect", "first-byte", "idle"] as const).map((phase) =>
      told({ at: "timeout", phase, seconds: 30 }),
    ),
    told({ at: "network", code: "ECONNREFUSED" } as Fault),
    told({ at: "tls", code: "CERT_HAS_EXPIRED" } as Fault),
    told({ at: "redirect", status: 307 } as Fault),
    told({ at: "proxy" }),
    told({ at: "proxy", status: 502 }),
  ]);
  assert.match(inChinese(told(status(429, "Slow down."))), /429.*Slow down\.$/);
  assert.match(inChinese(told({ at: "timeout", phase: "idle", seconds: 300 })), /5分钟/);
  assert.match(
    inChinese(told(status(429, "No."), Date.UTC(2026, 0, 1, 12))),
    /No\. 请在 .*\d\d:\d\d.* 重试。$/,
  );
});

test("what the connection check will do, and all that it finds, is Chinese", async (t) => {
  assertChinese(checkPlan.steps);
  for (const [profile, refused] of [
    ["standard", false],
    [refusing("prompt_cache_key"), false],
    ["standard", true],
  ] as const) {
    const nonceHeader = refused ? "x-none" : "svc-request-nonce";
    const { sim, client } = await simulatedClient(
      t,
      { profile, assistant: () => [text("ok")] },
      { settings: () => ({ nonceHeader }) },
    );
    if (refused) for (let each = 0; each < 2; each += 1) sim.replyTo("estimate", status(500));
    const report = await client.checkConnection(async () => true, new AbortController().signal);
    assert.ok(typeof report === "object" && "findings" in report);
    assertChinese(report.findings.flatMap(({ name, detail }) => [name, detail]));
  }
});

test("what the disk refuses, and what is no request, is told in Chinese", () => {
  const disk = (code: string) => Object.assign(new Error(), { code });
  for (const code of ["ENOSPC", "EACCES", "EMFILE", "EIO", ""])
    assertChinese([unsaved(disk(code)).message, unreadable(disk(code)).message]);
  const field = { cacheKeyField: "prompt_cache_key", userIdField: "safety_identifier" } as never;
  assertChinese(
    ["no", "{}", '{"model":"m"}', '{"model":"m","store":true,"input":"a"}'].map((body) =>
      messageOf(readEdited(body, field)),
    ),
  );
});

test("any other sentence stays as it came, and every sentence of the core in English is itself", () => {
  const inEnglish = (message: string) => said(message, (sentence) => sentence, "en");
  for (const message of ["The model had an error.", "Cannot reach", "Server error 500 or so", ""]) {
    assert.equal(inChinese(message), message);
    assert.equal(inEnglish(message), message);
  }
  for (const message of ["Cannot reach a.b (E1).", "Server error 500: No.", "Stopped. Try again at 10:00."])
    assert.equal(inEnglish(message), message);
});
