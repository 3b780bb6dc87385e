import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const { default: settings } = await import("./.prettierrc.js");
assert.equal(settings.printWidth, 100);
assert.equal(settings.singleQuote, true);

const below = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
      .sort(),
  );
const hashOf = (paths) => {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest("hex");
};
// As prettier 3.6.2 has written them.
assert.equal(
  hashOf([...below("lib", "typings"), "index.js"]),
  "89e14cab536e7f96999679af4da5df81befa8cbb8a25fe3ca0f480dfa4ac0235",
  "lib, typings and index.js are the formatter's",
);
// As they were.
assert.equal(
  hashOf([...below("tests", "examples", "docs"), "package.json", "Readme.md", ".prettierignore"]),
  "8b3e4eef6474ed6b63571f79432e1f2cfa100878bc7f6fafc977db9794cd8a79",
  "all else is as it was",
);
