// A page with one patch, and what is told of it.
import type { ViewState } from "../../../../src/bridge/view-state.ts";
import type { ConversationEvent } from "../../../../src/conversation/events.ts";
import type { Message } from "../../../../src/conversation/messages.ts";
import type { Part, PatchFile, PatchHunk, PatchStatus } from "../../../../src/conversation/state.ts";
import { openPanel, type PanelOptions } from "./panel.ts";
import { turn } from "./sample-turn.ts";
import { smallHost } from "./small-host.ts";

export const hunk = (id: string, line: number): PatchHunk => ({
  id,
  status: "pending",
  line,
  added: 1,
  removed: 1,
  diff: "-old\n+new\n",
});
export const file = (path: string, ...hunks: readonly PatchHunk[]): PatchFile => ({
  path,
  change: "update",
  added: hunks.length,
  removed: hunks.length,
  hunks: [...hunks],
});

export const files = [file("src/a.ts", hunk("a#1", 3), hunk("a#2", 30)), file("src/b.ts", hunk("b#1", 7))];
export const withStatus = (status: PatchHunk["status"], all = files): PatchFile[] =>
  all.map((one) => ({ ...one, hunks: one.hunks.map((each) => ({ ...each, status })) }));

export const waiting = {
  files: 2,
  added: 3,
  removed: 3,
  hunks: 3,
  conflicts: 0,
  inConflict: [],
  risks: [],
  flagged: [],
  shown: 7,
};

export async function openPatch(
  patch: Partial<{ status: PatchStatus; files: readonly PatchFile[]; message: Message }> = {},
  viewState: Partial<ViewState> = {},
  options: PanelOptions = {},
) {
  const status = patch.status ?? "proposed";
  const shown = {
    status,
    files: [...(patch.files ?? files)],
    ...(patch.message && { message: patch.message }),
  };
  const part: Part = { type: "patch", id: "p", call: "call", ...shown };
  const turns = [turn("1", { status: "done", parts: [part] })];
  const host = smallHost({ conversation: { id: "c", turns }, viewState });
  const panel = await openPanel(host, options);
  const { page } = panel;
  const button = (name: string | RegExp) => page.locator(".patch").getByRole("button", { name, exact: true });
  const bar = page.getByRole("region", { name: "Proposed changes" });
  const armed = () =>
    page.waitForFunction(() => document.querySelector(".question-for-you [data-armed]") !== null);
  return { host, panel, page, button, bar, armed };
}

/** What became of it is told as what is new. */
export const become = (
  status: "applied" | "undone",
  hunks: { id: string; status: PatchHunk["status"] }[] = files.flatMap((each) =>
    each.hunks.map(({ id }) => ({ id, status })),
  ),
): ConversationEvent => ({ type: "patch-state", turn: "1", id: "p", call: "call", status, hunks });
