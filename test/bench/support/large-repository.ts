// A real repository of more than 60,000 files in thousands of folders: packages as npm unpacks them, with ignore files,
// links, and a log of 200 MB. It is made once, in the folder of temporary files, and used again.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { npm } from "../../support/npm-package.mjs";

const packages = [
  ...[
    "next@15.1.0",
    "@mui/material@6.1.0",
    "date-fns@3.6.0",
    "core-js@3.39.0",
    "aws-sdk@2.1692.0",
    "rxjs@7.8.1",
  ],
  ...[
    "googleapis@144.0.0",
    "monaco-editor@0.52.0",
    "antd@5.22.0",
    "three@0.170.0",
    "@fluentui/react@8.122.0",
  ],
  ...["lodash@4.17.21", "typescript@5.7.2"],
];

const ignored = ["*.map", "coverage/", "/packages/caniuse-lite/", "!packages/lodash/*.map", "generated-*"];

const options = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-package-lock",
  "--legacy-peer-deps",
  "--silent",
];

export function largeRepository(): string {
  const root = join(tmpdir(), "patchbay-bench-repository");
  if (existsSync(join(root, "ready"))) return join(root, "work");
  const work = join(root, "work");
  mkdirSync(work, { recursive: true });
  if (!existsSync(join(work, "packages"))) {
    writeFileSync(join(root, "package.json"), '{"private":true}');
    execFileSync(npm, ["install", ...options, ...packages], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    renameSync(join(root, "node_modules"), join(work, "packages"));
  }
  addRest(work);
  writeFileSync(join(root, "ready"), "");
  return work;
}

function addRest(work: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  };
  write(".gitignore", `${ignored.join("\n")}\n`);
  write("packages/rxjs/.gitignore", "dist/\n");
  write("packages/three/.gitignore", "examples/*\n!examples/jsm/\n");
  write("coverage/index.js", "createContext\n");
  write("generated-1.ts", "createContext\n");
  write(".env", "SECRET=createContext\n");
  symlinkSync("packages/lodash", join(work, "linked"));
  symlinkSync("packages/lodash/lodash.js", join(work, "linked.js"));
  writeLog(join(work, "server.log"));
}

/** A needle stands at its very end. */
function writeLog(place: string): void {
  const file = openSync(place, "w");
  const line = (at: number) =>
    `2026-01-01T00:00:00.000Z info request ${at} took ${at % 997} ms, status 200, bytes ${at * 31}\n`;
  for (let at = 0; at < 2_300_000; at += 10_000)
    writeSync(file, Array.from({ length: 10_000 }, (_, each) => line(at + each)).join(""));
  writeSync(file, "the lastNeedleOfTheLog is here\n");
  closeSync(file);
}
