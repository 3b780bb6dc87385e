import assert from "node:assert/strict";
import { Argument, Command, Option } from "./index.js";

const quiet = () => new Command("app").exitOverride().configureOutput({ writeErr: () => {} });

const tags = ["none"];
const program = quiet().option("-t, --tags <tag...>", "tags", tags);
const parse = (...args) => program.parse(args, { from: "user" }).opts().tags;
assert.deepEqual(parse("-t", "a", "b"), ["a", "b"]);
assert.deepEqual(parse("-t", "c"), ["c"]);
assert.deepEqual(parse(), ["none"]);
assert.deepEqual(tags, ["none"]);

const chosen = quiet().addOption(new Option("-s, --size <size...>").choices(["s", "m", "l"]).default(["m"]));
assert.deepEqual(chosen.parse(["-s", "s", "l"], { from: "user" }).opts().size, ["s", "l"]);
assert.deepEqual(chosen.parse([], { from: "user" }).opts().size, ["m"]);

const files = ["."];
const seen = [];
const walk = quiet()
  .argument("[files...]", "files", files)
  .action((given) => seen.push([...given]));
for (const args of [["a", "b"], ["c"], []]) walk.parse(args, { from: "user" });
assert.deepEqual(seen, [["a", "b"], ["c"], ["."]]);

const sizes = [];
const picked = quiet()
  .addArgument(new Argument("[sizes...]").choices(["s", "m"]).default(["m"]))
  .action((given) => sizes.push([...given]));
for (const args of [["s"], []]) picked.parse(args, { from: "user" });
assert.deepEqual(sizes, [["s"], ["m"]]);
