import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Command, Option } from "./index.js";

/** What is written to the error output, and the values. */
function run(options, args, prepare = (program) => program) {
  const errors = [];
  const out = [];
  const program = new Command("app")
    .exitOverride()
    .configureOutput({ writeErr: (text) => errors.push(text), writeOut: (text) => out.push(text) });
  for (const option of options) program.addOption(option);
  prepare(program);
  program.parse(args, { from: "user" });
  return { errors: errors.join(""), out: out.join(""), values: program.opts(), program };
}
const port = () => new Option("-p, --port <number>", "port to listen on");

// It can be chained, with words or without.
const option = port();
assert.equal(option.deprecated("use --listen instead"), option);
assert.equal(port().deprecated().flags, "-p, --port <number>");

// The warning.
const warned = "warning: option '-p, --port <number>' is deprecated: use --listen instead\n";
const withWords = () => port().deprecated("use --listen instead");
for (const args of [["-p", "80"], ["--port", "80"], ["--port=80"], ["-p80"]]) {
  const { errors, values } = run([withWords()], args);
  assert.equal(errors, warned, args.join(" "));
  assert.deepEqual(values, { port: "80" });
}
assert.equal(
  run([port().deprecated()], ["-p", "80"]).errors,
  "warning: option '-p, --port <number>' is deprecated\n",
);

// Once, however often it is given.
assert.equal(run([withWords()], ["-p", "80", "-p", "81"]).errors, warned);
const many = new Option("-t, --tags <tag...>", "tags").deprecated();
assert.equal(
  run([many], ["-t", "a", "b", "c"]).errors,
  "warning: option '-t, --tags <tag...>' is deprecated\n",
);

// Not for what nobody has given.
assert.equal(run([withWords()], []).errors, "");
assert.equal(run([withWords().default("1")], []).errors, "");
assert.equal(run([new Option("--all").implies({ port: "9" }), withWords()], ["--all"]).errors, "");
assert.equal(run([port()], ["-p", "80"]).errors, "");

// The environment gives it, too; with both there is still one warning.
process.env.HIDDEN_PORT = "90";
const env = run([withWords().env("HIDDEN_PORT")], []);
assert.equal(env.errors, warned);
assert.deepEqual(env.values, { port: "90" });
assert.equal(run([withWords().env("HIDDEN_PORT")], ["-p", "80"]).errors, warned);
delete process.env.HIDDEN_PORT;

// A second parse of the same program warns once more.
const errors = [];
const twice = new Command("app")
  .configureOutput({ writeErr: (text) => errors.push(text) })
  .addOption(withWords());
twice.parse(["-p", "1"], { from: "user" });
twice.parse(["-p", "2"], { from: "user" });
assert.equal(errors.join(""), warned + warned);

// Of a subcommand, with its parent's output.
const sub = run([], ["serve", "-p", "80"], (program) => {
  program
    .command("serve")
    .addOption(withWords())
    .action(() => {});
});
assert.equal(sub.errors, warned);

// Boolean and negated ones, their values as before.
const no = run([new Option("--no-color", "plain").deprecated("set NO_COLOR")], ["--no-color"]);
assert.equal(no.errors, "warning: option '--no-color' is deprecated: set NO_COLOR\n");
assert.deepEqual(no.values, { color: false });

// The help.
const help = (each) => new Command("app").addOption(each).helpInformation().replace(/\s+/g, " ");
assert.match(help(withWords()), /port to listen on \(deprecated: use --listen instead\)/);
assert.match(help(port().deprecated()), /port to listen on \(deprecated\)/);
assert.match(help(port().default("80").deprecated()), /port to listen on \(default: "80", deprecated\)/);
assert.match(help(new Option("-x").deprecated()), /-x \(deprecated\)/);
assert.doesNotMatch(help(port()), /deprecated/);

assert.match(
  readFileSync("typings/index.d.ts", "utf8"),
  /class Option \{[\s\S]*?\bdeprecated\(\s*\w+\?:\s*string\s*\)[\s\S]*?\n {2}\}/,
);
assert.match(readFileSync("Readme.md", "utf8"), /\.deprecated\(/);
