// Patches of very many files, as they arrive, are proposed and accepted; and what the page does for them, by its own clock.
import type { Page } from "playwright-core";
import type { ConversationEvent } from "../../../../src/conversation/events.ts";
import type { PatchFile, PatchHunk, PatchStatus } from "../../../../src/conversation/state.ts";

export interface PatchSize {
  readonly files: number;
  readonly hunks: number;
}

const diffOf = (file: number, hunk: number): string =>
  [
    ` export function step${hunk}(input: string): string {`,
    `-  return input.trim() + ${file};`,
    `+  return normalize(input) + ${file}; // hunk ${hunk} of file ${file}`,
    "+  // It stays as it is.",
    " }",
    "",
  ].join("\n");

/** The name of each file is another, and those of one patch are of no other. */
export const largePatch = (patch: string, { files, hunks }: PatchSize): PatchFile[] =>
  Array.from({ length: files }, (_, file) => ({
    path: `packages/${patch}/src/part${file % 20}/module${file}.ts`,
    change: "update",
    added: hunks * 2,
    removed: hunks,
    hunks: Array.from({ length: hunks }, (_, hunk): PatchHunk => {
      const id = `${patch}/${file}#${hunk}`;
      return { id, status: "pending", line: hunk * 40 + 1, added: 2, removed: 1, diff: diffOf(file, hunk) };
    }),
  }));

/** The row of a patch, with the files from `from` on; those before are there. */
export function patchRow(
  turn: string,
  id: string,
  files: readonly PatchFile[],
  { status = "proposed", from }: { readonly status?: PatchStatus; readonly from?: number } = {},
): ConversationEvent {
  const call = status === "arriving" ? "" : id;
  return { type: "patch", turn, id, call, status, files: [...files], ...(from !== undefined && { from }) };
}

export function patchDecided(
  turn: string,
  id: string,
  files: readonly PatchFile[],
  /** `part`: others of it wait. */
  status: "applied" | "rejected" | "undone" | "part",
): ConversationEvent {
  const now = status === "part" ? "applied" : status;
  const hunks = files.flatMap((file) => file.hunks.map((hunk) => ({ id: hunk.id, status: now })));
  return { type: "patch-state", turn, id, call: id, status: status === "part" ? "proposed" : status, hunks };
}

/** Milliseconds of processor that the page's thread takes from now on. */
export async function pageTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  };
  const before = await read();
  return async () => (await read()) - before;
}

export const elementsInChat = (page: Page): Promise<number> => page.locator(".transcript *").count();
