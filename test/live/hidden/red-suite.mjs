import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Command, Option } from "./index.js";

// The tests are as they were.
const hash = createHash("sha256");
for (const path of readdirSync("tests", { recursive: true }).sort())
  if (path.endsWith(".js")) hash.update(path).update(readFileSync(`tests/${path}`));
assert.equal(hash.digest("hex"), "3def6a5a0e7a8f91253547435ad38eadbd5407adacf5751abfceb11ffd62ce86");

const suggested = (word, ...names) => {
  let written = "";
  const program = new Command("app").exitOverride().configureOutput({
    writeErr: (text) => {
      written += text;
    },
  });
  for (const name of names) program.command(name).action(() => {});
  assert.throws(() => program.parse([word], { from: "user" }));
  return written;
};
for (const [word, name] of [
  ["ca", "ac"],
  ["act", "cat"],
  ["sohw", "show"],
  ["showprojetc", "showproject"],
])
  assert.match(suggested(word, name, "zzzzzz"), new RegExp(`Did you mean ${name}\\?`));

process.env.PATCHBAY_PORT = "90";
for (const source of ["config", "default", "env", "cli", undefined]) {
  const program = new Command("app").addOption(new Option("-p, --port <n>").env("PATCHBAY_PORT"));
  program.setOptionValueWithSource("port", "80", source);
  program.parse([], { from: "user" });
  assert.equal(program.opts().port, ["cli", undefined].includes(source) ? "80" : "90", String(source));
}
execFileSync("node", ["--check", "lib/command.js"]);
