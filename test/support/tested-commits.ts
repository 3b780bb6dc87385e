// Repositories whose commits brought tests: each makes one function return another number, and has a test for it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface MadeCommit {
  readonly message: string;
  /** `null`: the file is deleted. */
  readonly files: Readonly<Record<string, string | Uint8Array | null>>;
}

export const sourceOf = (value: number): string => `exports.value = () => ${value};\n`;

export const testOf = (number: number): string =>
  [
    'const assert = require("node:assert");',
    'const { test } = require("node:test");',
    `const { value } = require("../src/value${number}.js");`,
    `test("value${number}", () => assert.equal(value(), ${number}));\n`,
  ].join("\n");

/** What stands before the first of them. */
export const beginning = (count: number): MadeCommit => ({
  message: "Begin the project with all values",
  files: {
    "package.json": JSON.stringify({ name: "values", private: true, scripts: { test: "node --test" } }),
    ".gitignore": "node_modules/\n",
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`src/value${at + 1}.js`, sourceOf(0)] as const),
    ),
  },
});

/**
 * The same for the shell, which begins at once: where the tests run some sixty times, two starts of Node for each of them
 * take most of the time. Its one command runs all tests, in the order of their names.
 */
export const shellSourceOf = (value: number): string => `value=${value}\n`;

const shellTestOf = (number: number): string => `. ./src/value${number}.sh\n[ "$value" = ${number} ]\n`;

export const shellCommand = "sh all-tests.sh";

export const shellBeginning = (count: number): MadeCommit => ({
  message: "Begin the project with all values",
  files: {
    "package.json": JSON.stringify({ name: "values", private: true, scripts: { test: shellCommand } }),
    "all-tests.sh": 'for each in test/*.test.sh; do sh "$each" || exit 1; done\n',
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`src/value${at + 1}.sh`, shellSourceOf(0)] as const),
    ),
  },
});

export const shellCommit = (number: number): MadeCommit => ({
  message: messageOf(number),
  files: {
    [`src/value${number}.sh`]: shellSourceOf(number),
    [`test/value${number}.test.sh`]: shellTestOf(number),
  },
});

const messageOf = (number: number): string =>
  `Let value ${number} return ${number} instead of nothing\n\nSigned-off-by: Somebody <some@body.example>`;

export const valueCommit = (number: number): MadeCommit => ({
  message: messageOf(number),
  files: { [`src/value${number}.js`]: sourceOf(number), [`test/value${number}.test.js`]: testOf(number) },
});

export function git(folder: string, ...args: readonly string[]): string {
  const own = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...own, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

/** Makes the commits in a folder, oldest first, on the branch that it is on, and returns their ids. */
export function makeRepository(folder: string, commits: readonly MadeCommit[]): readonly string[] {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, ".git"))) git(folder, "init", "-q", "-b", "main");
  return commits.map(({ message, files }) => {
    for (const [path, content] of Object.entries(files)) {
      const place = join(folder, path);
      mkdirSync(dirname(place), { recursive: true });
      if (content === null) rmSync(place);
      else writeFileSync(place, content);
    }
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", message);
    return git(folder, "rev-parse", "HEAD");
  });
}
