import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toProblem } from "../../../src/core/api/errors.ts";
import type { Fault } from "../../../src/core/api/fault.ts";
import { foreignItems } from "../../../src/core/turn/ways-out.ts";
import { problemEndings, problemSentences, translated } from "../../../src/webview/problem-sentences.ts";

const chinese: Record<string, string> = JSON.parse(readFileSync("media/l10n/bundle.l10n.zh-cn.json", "utf8"));
const sentences = Object.fromEntries(
  Object.entries({ ...problemSentences, ...problemEndings }).map(([key, sentence]) => [
    key,
    chinese[sentence] ?? "",
  ]),
) as Record<keyof typeof problemSentences | keyof typeof problemEndings, string>;
const inChinese = (message: string) =>
  translated(message, {
    sentences,
    time: (amount, unit) => `${amount} ${unit === "seconds" ? "秒" : "分钟"}`,
  });

const context = { host: "api.test", mask: (text: string) => text, visible: false, holds: undefined };
const said = (fault: Fault, retryAt?: number) =>
  toProblem(fault, { ...context, retryAt } as Parameters<typeof toProblem>[1]).message;
const status = (code: number, message = ""): Fault =>
  ({
    at: "status",
    status: code,
    words: { message },
    sentBytes: 1,
    headers: () => undefined,
  }) as unknown as Fault;

test("what the core says of common faults is known again and said in Chinese", () => {
  const faults: readonly Fault[] = [
    status(401),
    status(403),
    status(404, "No such model."),
    status(402, "Pay."),
    status(413),
    status(429, "Slow down."),
    status(500),
    status(503, "Down."),
    { at: "network", code: "ECONNREFUSED" } as Fault,
    { at: "tls", code: "CERT_HAS_EXPIRED" } as Fault,
    { at: "redirect", status: 307 } as Fault,
    { at: "timeout", phase: "connect", seconds: 30 },
    { at: "timeout", phase: "first-byte", seconds: 300 },
    { at: "timeout", phase: "idle", seconds: 300 },
    ...(["html", "cut", "empty", "gibberish", "damaged", "bug"] as const).map((at) => ({ at }) as Fault),
  ];
  for (const fault of faults) {
    const english = said(fault);
    assert.match(inChinese(english), /^\p{Script=Han}|^API|^.{0,12}\p{Script=Han}/u, english);
  }
});

test("that something was made under another key is said in Chinese behind the service's own words", () => {
  const said400 = `${said(status(400, "No such item."))} ${foreignItems}`;
  assert.match(inChinese(said400), /400.*No such item\. 先前的部分内容/);
});

test("the service's own words, names and times stay", () => {
  assert.match(inChinese(said(status(429, "Slow down."))), /429.*Slow down\./);
  assert.match(inChinese(said({ at: "network", code: "ECONNREFUSED" } as Fault)), /api\.test.*ECONNREFUSED/);
  assert.match(inChinese(said({ at: "timeout", phase: "idle", seconds: 300 })), /5 分钟/);
  assert.match(inChinese(said(status(429), Date.UTC(2026, 0, 1, 12))), /429.*\d\d/);
});

test("why it waits, and what may help besides, is said in Chinese, too", () => {
  for (const message of ["The service is busy.", "The service answered with 502.", "The reply was empty."])
    assert.match(inChinese(message), /^\p{Script=Han}/u, message);
  const hint = "It may not take pictures here; send it without them, or to a chat model.";
  const told = inChinese(`The service refused the request (400): No pictures. ${hint} Try again at 12:30.`);
  assert.match(told, /400.*No pictures\. \p{Script=Han}.*12:30/u);
  assert.doesNotMatch(told, /take pictures|Try again/);
});

test("any other sentence stays as it came", () => {
  for (const message of ["The model had an error.", "Cannot reach", "The service is busy (429) or not", ""])
    assert.equal(inChinese(message), message);
});
