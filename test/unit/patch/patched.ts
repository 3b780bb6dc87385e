// What becomes of one file, for tests that ask no more of a patch; and the patches that have folders of their own.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { applyEdits } from "../../../src/patch/edits.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

/** The file as the patch leaves it; undefined where it is refused. */
export async function patched(text: string, patch: string, path = "a.txt"): Promise<string | undefined> {
  try {
    const [change] = (await planPatch(patch, new MemoryWorkspace({ [path]: text }))).changes;
    return change?.kind === "update" ? applyEdits(change.base.text, change.edits) : text;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

export const fixturesFolder = join(process.cwd(), "test/fixtures/patch");

export interface PatchFixture {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly patch: string;
}

export function patchFixtures(): readonly PatchFixture[] {
  return readdirSync(fixturesFolder).map((name) => {
    const input = join(fixturesFolder, name, "input");
    const names = existsSync(input) ? readdirSync(input, { recursive: true, encoding: "utf8" }) : [];
    const files = names.filter((file) => statSync(join(input, file)).isFile());
    return {
      name,
      files: Object.fromEntries(files.map((file) => [file, readFileSync(join(input, file), "utf8")])),
      patch: readFileSync(join(fixturesFolder, name, "patch.txt"), "utf8"),
    };
  });
}
