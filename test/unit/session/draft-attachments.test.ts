// What waits beside a draft: looked at once it is there, told as often as it becomes something else, and kept while it is
// small.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Attachment } from "../../../src/conversation/state.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { DraftAttachments } from "../../../src/session/internal/draft-attachments.ts";
import { readAttachment } from "../../../src/tools/read-attachment.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

function waiting() {
  const files = guardFiles(createFolderWorkspace(), () => ({ ignore: [], alsoIgnore: [] }));
  let [told, ids] = [0, 0];
  const looking: Promise<unknown>[] = [];
  const draft = new DraftAttachments({
    look(wish, signal) {
      const looked = readAttachment(
        wish,
        { files, maxBytes: 200_000, turnsOf: async () => undefined },
        signal,
      );
      looking.push(looked);
      return looked;
    },
    log: { error: assert.fail } as never,
    newId: () => String(ids++),
    countTokens: () => ({ tokens: 7, exact: false }),
    changed: () => (told += 1),
  });
  const looked = async () => {
    await Promise.all(looking);
    await new Promise(setImmediate);
  };
  return { draft, looked, told: () => told };
}

const terminal = (text: string): Attachment => ({ kind: "terminal", name: "zsh", text });

describe("DraftAttachments", () => {
  test("reports a change when an attachment is added, read and removed", async () => {
    const { draft, looked, told } = waiting();
    draft.add(terminal("one"));
    assert.deepEqual([draft.list.length, draft.parts.length, told()], [1, 0, 1]);
    await looked();
    assert.deepEqual([draft.list[0]?.tokens, draft.parts.length, told()], [7, 1, 2]);
    draft.add(terminal("one"));
    assert.equal(told(), 2, "the same thing twice is one thing");
    draft.remove(draft.list[0]?.id ?? "");
    assert.deepEqual([draft.list, told()], [[], 3]);
  });

  test("keeps an attachment with the draft up to 64 KiB of JSON", () => {
    const around = JSON.stringify(terminal("")).length;
    const kept = (length: number) => {
      const { draft } = waiting();
      draft.add(terminal("x ".repeat(length).slice(0, length - around)));
      return draft.small.length;
    };
    assert.deepEqual([kept(64 * 1024), kept(64 * 1024 + 1)], [1, 0]);
  });
});
