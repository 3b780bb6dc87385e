// A tool is used as the model uses it, on a folder with these rules of privacy.
import assert from "node:assert/strict";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import type { PrivacySettings } from "../../../src/files/privacy.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callContext } from "../../support/call-context.ts";
import type { FolderWorkspace } from "../../support/folder-workspace.ts";

export const noRules: PrivacySettings = { ignore: [], alsoIgnore: [] };
export const never = new AbortController().signal;

export function use(workspace: FolderWorkspace, settings = noRules) {
  const files = guardFiles(workspace, () => settings);
  return async (tool: Tool, input: object): Promise<string> =>
    (await tool.prepare(JSON.stringify(input)).run(callContext(files), never)).output;
}

/** What refuses the work says this. */
export const refuses = (work: Promise<unknown>, sentence: RegExp): Promise<void> =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, sentence);
    return true;
  });
