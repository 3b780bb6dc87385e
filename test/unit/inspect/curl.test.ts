import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { curlOf, shellWord } from "../../../src/inspect/internal/edit-and-compare.ts";
import type { Composed } from "../../../src/service/request.ts";
import { anyLetters } from "../../support/any-letters.ts";

/** What a POSIX shell hands to `curl`, argument by argument, and what it puts on its standard input. */
function asShellSees(command: string): { args: string[]; input: string } {
  const curl = `curl() { for each; do printf '%s\\0' "$each"; done; printf '\\001'; case "$*" in *@-*) cat;; esac; }`;
  const env = { PATCHBAY_KEY: "sk-of the shell", PATH: process.env["PATH"] };
  const seen = execFileSync("/bin/sh", ["-s"], { input: `${curl}\n${command}`, env, encoding: "utf8" });
  const [args = "", input = ""] = seen.split("\u0001");
  return { args: args.split("\0").slice(0, -1), input };
}

const composed = (body: string): Composed => ({
  method: "POST",
  url: "https://service.test/v1/responses",
  headers: { accept: "text/event-stream", "content-type": "application/json" },
  body,
});

const hostile = fc.oneof(
  fc.string(),
  anyLetters,
  fc
    .array(fc.constantFrom("'", '"', "`", "$", "\\", "\n", "$(id)", "!", "é", "END_OF_BODY", " ", "a"))
    .map((all) => all.join("")),
);
/** Every run starts a shell. */
const numRuns = process.env["PATCHBAY_LONG"] === undefined ? 20 : 2_000;
const withoutControl = (text: string) => text.replaceAll("\0", "").replaceAll("\u0001", "").toWellFormed();

test("shellWord passes any text unchanged through a real shell", () => {
  fc.assert(
    fc.property(fc.array(hostile.map(withoutControl), { minLength: 1, maxLength: 20 }), (texts) => {
      assert.deepEqual(asShellSees(`curl ${texts.map(shellWord).join(" ")}\n`).args, texts);
    }),
    { numRuns },
  );
});

test("curlOf passes the exact body of the request and reads the key from a shell variable", () => {
  fc.assert(
    fc.property(hostile.map(withoutControl), (text) => {
      const body = JSON.stringify({ input: text });
      const command = curlOf(composed(body), "");
      assert.deepEqual(asShellSees(command).args, [
        ...["-X", "POST", "https://service.test/v1/responses"],
        ...["-H", "Authorization: Bearer sk-of the shell"],
        ...["-H", "accept: text/event-stream", "-H", "content-type: application/json"],
        ...["--data-raw", body],
      ]);
      assert.match(command, /"Authorization: Bearer \$PATCHBAY_KEY"/);
    }),
    { numRuns },
  );
});

test("curlOf passes a very long body by standard input, also with the end marker in it", () => {
  const body = JSON.stringify({ input: `END_OF_BODY ${"é'".repeat(80_000)}` });
  const { args, input } = asShellSees(curlOf(composed(`${body}\nEND_OF_BODY`), ""));
  assert.equal(args.at(-1), "@-");
  assert.equal(input, `${body}\nEND_OF_BODY\n`);
});
