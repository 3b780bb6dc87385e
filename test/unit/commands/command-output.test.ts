// The output of commands: hostile to terminals, to screens and to secrets.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cleanOutput, LiveOutput, plainOutput } from "../../../src/commands/internal/command-output.ts";

const token = "ghp_1234567890abcdefghijklmnopqrstuvwx12";
const key = (body: string) => `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\n`;
const body = Array.from({ length: 8 }, (_, line) => `MIIEpAIBAAKCAQEA${line}q7Zx${"Ab9+/".repeat(8)}`).join(
  "\n",
);

async function shown(...pieces: readonly string[]): Promise<readonly string[]> {
  const live = new LiveOutput();
  const states: string[] = [];
  for (const piece of pieces) {
    live.add(piece);
    states.push(await live.text());
  }
  return states;
}

describe("plainOutput", () => {
  for (const [what, text, plain] of [
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["a title of the terminal", "\u001b]0;owned\u0007text", "text"],
    ["a link of the terminal", "\u001b]8;;https://a.example\u001b\\here\u001b]8;;\u001b\\", "here"],
    ["the clipboard of the terminal", "\u001b]52;c;cm0gLXJm\u0007a", "a"],
    ["an unterminated sequence, and no other line with it", "\u001b]0;evil\nsecond", "\nsecond"],
    ["one-byte controls", "a\u009b31mb\u0085c", "abc"],
    ["bells, nulls and deletions", "a\u0007b\u0000c\u007f", "abc"],
    ["moves of the cursor", "safe\u001b[2K\u001b[1Gother", "safeother"],
    ["overstruck letters", "N\bNA\bAM\bM", "NAM"],
    ["progress written over itself", "1 %\r50 %\r100 %\nnext\r\n", "100 %\nnext\n"],
  ] as const)
    test(`removes ${what}`, () => assert.equal(plainOutput(text), plain));
});

describe("LiveOutput", () => {
  test("shows whole lines only", async () => {
    assert.deepEqual(await shown("one\ntw", "o\n"), ["one\n", "one\ntwo\n"]);
  });
  test("shows no secret that is split across pieces", async () => {
    const states = await shown(`token ${token.slice(0, 20)}`, `${token.slice(20)}\n`, "end\n");
    assert.ok(
      states.every((state) => !state.includes(token.slice(4, 14))),
      states.join("|"),
    );
    assert.match(states[2] ?? "", /secret removed.*\nend/s);
  });
  test("shows no secret that colours split", async () => {
    const [state = ""] = await shown(`${token.slice(0, 12)}\u001b[31m${token.slice(12)}\n`);
    assert.ok(!state.includes(token.slice(12)), state);
  });
  test("shows no line of a private key before its end, nor after it", async () => {
    const lines = `before\n${key(body)}after\n`.split(/(?<=\n)/);
    const states = await shown(...lines);
    for (const line of body.split("\n")) assert.ok(states.every((state) => !state.includes(line)));
    assert.match(states.at(-1) ?? "", /before[\s\S]*after/);
  });
  test("shows no line of a private key of any length before its end", async () => {
    const line = body.split("\n")[0] ?? "";
    const states = await shown(
      "before\n",
      ...key(`${line}\n`.repeat(1500).trimEnd()).split(/(?<=A0q7Zx.{4000})/s),
    );
    assert.ok(states.length > 10);
    for (const state of states) assert.ok(!state.includes("MIIEpAIBAAKCAQEA"), state);
  });
  test("shows what follows a private key of any length, and holds little of it", async () => {
    const line = body.split("\n")[0] ?? "";
    const part = `${line}\n`.repeat(1500);
    const live = new LiveOutput();
    live.add("before\n-----BEGIN PRIVATE KEY-----\n");
    for (let at = 0; at < 4; at++) {
      live.add(part);
      assert.equal(await live.text(), "before\n");
    }
    live.add("-----END PRIVATE KEY-----\nafter\n");
    const state = await live.text();
    assert.ok(state.endsWith("after\n") && !state.includes(line), state);
  });
  test("shows little of much, also where there is no line break", async () => {
    const live = new LiveOutput();
    for (let at = 0; at < 40; at++) live.add("x".repeat(50_000));
    live.add("\nend\n");
    const state = await live.text();
    assert.ok(state.length <= 1600 && state.endsWith("end\n"));
  });
});

describe("cleanOutput", () => {
  test("removes a private key whose end was cut off", async () => {
    const clean = await cleanOutput(`a\n-----BEGIN PRIVATE KEY-----\n${body}`);
    assert.ok(!clean.includes("MIIEpAIBAAKCAQEA"), clean);
  });
});
