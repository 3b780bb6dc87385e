// A patch to try the review on, without a service and without touching a file: a change set of its own over a workspace of
// one text. It counts nowhere, and goes when it is decided or its tab is closed.

import { createHash, randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ChangeSet } from "../../core/changes/change-set.ts";
import { memoryChangeStore } from "../../core/changes/kept-changes.ts";
import { noWorkspace, type Workspace } from "../../core/changes/workspace.ts";
import { guardFiles } from "../../core/files/guarded-files.ts";
import { applyEdits } from "../../core/patch/edits.ts";
import { plainStanding } from "../../core/patch/model.ts";
import { proposePatch } from "../../core/tools/propose-patch.ts";
import type { Log } from "../../core/util/log.ts";
import { contextKeys } from "../manifest.ts";
import { newDocument } from "../new-document.ts";
import { showInformation } from "../notify.ts";
import type { Review } from "../review/review.ts";
import { schemes } from "../review/shown-change.ts";
import { sampleFolder } from "../workspace/file-uris.ts";
import { sampleName, samplePatch, sampleText } from "./sample-code.ts";

export interface SampleReview {
  /** Shows the sample, beside the folders that are open: there need be none. */
  begin(folders: readonly string[]): Promise<void>;
}

const call = "patchbay-sample";

export function createSampleReview(
  review: Pick<Review, "try">,
  log: Log,
  report: (error: unknown) => void,
): SampleReview {
  let isLying = false;
  return {
    async begin(open) {
      if (isLying) return;
      isLying = true;
      let text = sampleText;
      // Among several folders a path begins with the name of its own.
      const isOneOfSeveral = open.length > 1;
      const folders = isOneOfSeveral ? [...open, sampleFolder] : [sampleFolder];
      const path = isOneOfSeveral ? `${sampleFolder}/${sampleName}` : sampleName;
      const workspace = workspaceOfOne(folders, {
        read: () => text,
        write: (next) => {
          text = next;
        },
      });
      const changes = new ChangeSet({
        world: () => workspace,
        apply: workspace.apply,
        store: memoryChangeStore(),
        log,
        newId: randomUUID,
        decided: async () => undefined,
        nameOf: () => path,
        quotable: async (quoted) => quoted,
        secretsIn: () => 0,
        isFull: () => false,
      });
      const files = guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] }));
      await proposePatch(samplePatch(path), {
        turn: call,
        call,
        changes,
        overlay: async () => ({ workspace, files, proposed: 0 }),
        protection: () => undefined,
        show: async () => undefined,
      });
      const set = { name: vscode.l10n.t("Sample edit"), changes, isSample: true };
      const lying = await review.try(set);
      const end = (isDecided: boolean) => {
        if (!isLying) return;
        isLying = false;
        vscode.Disposable.from(lying, decided, closed).dispose();
        if (!isDecided) return;
        void vscode.commands.executeCommand("setContext", contextKeys.startReviewed, true);
        tellEnd(text).catch(report);
      };
      const decided = changes.onDidChange(() => changes.pending.length === 0 && end(true));
      const closed = vscode.window.tabGroups.onDidChangeTabs(
        ({ closed: tabs }) => tabs.some(({ input }) => showsSample(input, changes.pending)) && end(false),
      );
    },
  };
}

/** A diff of it, or of several files with it among them. */
function showsSample(input: unknown, pending: ChangeSet["pending"]): boolean {
  if (input instanceof vscode.TabInputTextDiff) {
    const { scheme, query } = input.modified;
    return scheme === schemes.review && pending.some(({ id }) => id === query);
  }
  // The tab of a diff of several files has no type in the API, but it has its diffs.
  if (typeof input !== "object" || input === null || !("textDiffs" in input)) return false;
  return Array.isArray(input.textDiffs) && input.textDiffs.some((diff) => showsSample(diff, pending));
}

async function tellEnd(content: string): Promise<void> {
  const t = vscode.l10n.t;
  const show = t("Show Result");
  const chosen = await showInformation(
    t("This was a sample. No file was changed and nothing was sent."),
    show,
  );
  if (chosen !== show) return;
  await vscode.window.showTextDocument(await newDocument(content, "typescript"));
}

interface OneText {
  read(): string;
  write(text: string): void;
}

function workspaceOfOne(folders: readonly string[], { read, write }: OneText): Workspace {
  return {
    ...noWorkspace,
    folders,
    trusted: true,
    async look({ folder, path }) {
      const isIt = folder === sampleFolder && path === sampleName;
      const bytes = isIt ? Buffer.byteLength(read()) : 0;
      return { ...plainStanding, kind: isIt ? "file" : "nothing", real: path, bytes };
    },
    read: async () => ({ kind: "text", text: read(), version: 1 }),
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    async apply(changes) {
      for (const change of changes) if ("edits" in change) write(applyEdits(change.base.text, change.edits));
      return { outcome: "applied" };
    },
  };
}
