// What a command sees of a home: programs, and none of the credentials beside them.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import {
  closedFolders,
  isInside,
  shownPrograms,
} from "../../../src/checks/internal/sandbox/visible-paths.ts";
import { credentialFiles, programFiles } from "../../support/home-files.ts";
import { ownFolder, withVariable } from "../../support/one-test.ts";

function setUp(t: TestContext) {
  const home = ownFolder(t, "home");
  withVariable(t, "HOME", home);
  for (const each of [...credentialFiles, ...programFiles, ".opam/default/.opam-switch/config"]) {
    mkdirSync(dirname(join(home, each)), { recursive: true });
    writeFileSync(join(home, each), "");
  }
  const options = { storage: join(home, "storage"), workspaceFolders: [] };
  /** Whether a command whose PATH has these folders of the home can open the file. */
  const isShown = (file: string, ...path: readonly string[]) => {
    const shown = shownPrograms(path.map((each) => join(home, each)).join(":"), options).map(([, at]) => at);
    const closed = closedFolders(shown, "/nowhere", options);
    const isBelow = (folder: string) => isInside(join(home, file), folder);
    return shown.some(isBelow) && !closed.some(isBelow);
  };
  return { isShown };
}

const path = [".local/bin", "bin", ".dotnet", ".dotnet/tools", ".gem/ruby/3.3.0/bin", ".opam/default/bin"];

describe("a command's view of the home", () => {
  for (const file of credentialFiles)
    test(`lacks ${file}`, (t) => {
      const { isShown } = setUp(t);
      assert.deepEqual([isShown(file), isShown(file, ...path)], [false, false]);
    });

  for (const file of programFiles)
    test(`has ${file}`, (t) => {
      const { isShown } = setUp(t);
      assert.equal(isShown(file, ...path, "node/bin"), true);
    });
});
