// Commands of the walkthrough: a sample to act on, and a sample to review. Neither needs a folder, a key or a network.
import { createHash, randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { ChangeSet } from "../../changes/change-set.ts";
import { memoryChangeStore } from "../../changes/change-store.ts";
import { guardFiles } from "../../files/guarded-files.ts";
import { noWorkspace, type Workspace } from "../../files/workspace.ts";
import { applyEdits } from "../../patch/edits.ts";
import { defaultPathInfo } from "../../patch/model.ts";
import { proposePatch } from "../../tools/apply-patch.ts";
import type { Log } from "../../util/log.ts";
import { commands, contextKeys } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { Review } from "../review/review.ts";
import { schemes } from "../review/shown-change.ts";
import { newDocument } from "../ui/documents.ts";
import { sampleFolder } from "../workspace/file-uris.ts";

const sampleName = "patchbay-sample.ts";

export const sampleText = `// A sample of Patchbay's walkthrough. It is not part of your workspace.

interface Line {
  name: string;
  cents: number;
  quantity: number;
}

export function total(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) sum = sum + line.cents * line.quantity;
  return sum;
}

export function discount(cents: number, percent: number): number {
  return cents - (cents * percent) / 100;
}

export function show(cents: number): string {
  return cents / 100 + " €";
}
`;

/** `path`: the sample's path in the window. */
const samplePatch = (path: string): string => `*** Begin Patch
*** Update File: ${path}
@@
 export function total(lines: Line[]): number {
-  let sum = 0;
-  for (const line of lines) sum = sum + line.cents * line.quantity;
-  return sum;
+  return lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
 }
@@
 export function discount(cents: number, percent: number): number {
-  return cents - (cents * percent) / 100;
+  return cents - Math.round((cents * percent) / 100);
 }
@@
 export function show(cents: number): string {
-  return cents / 100 + " €";
+  return \`\${(cents / 100).toFixed(2)} €\`;
 }
*** End Patch
`;

interface SampleReview {
  /** Shows the sample next to the open folders, of which there may be none. */
  begin(folders: readonly string[]): Promise<void>;
}

const call = "patchbay-sample";

/**
 * Proposes a patch for trying out the review, without a service and without touching a file: a change set of its own
 * over a workspace with a single text. It is not counted, and disappears when it is decided or its tab is closed.
 */
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
      // With several folders, paths begin with the name of their folder.
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
        redact: async (quoted) => quoted,
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

/** A diff of it, or of several files including it. */
function showsSample(input: unknown, pending: ChangeSet["pending"]): boolean {
  if (input instanceof vscode.TabInputTextDiff) {
    const { scheme, query } = input.modified;
    return scheme === schemes.review && pending.some(({ id }) => id === query);
  }
  // The tab of a multi-file diff has no type in the API, but it lists its diffs.
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
      return { ...defaultPathInfo, kind: isIt ? "file" : "nothing", real: path, bytes };
    },
    read: async () => ({ kind: "text", text: read(), version: 1 }),
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    async apply(changes) {
      for (const change of changes) if ("edits" in change) write(applyEdits(change.base.text, change.edits));
      return { outcome: "applied" };
    },
  };
}

interface StartDeps {
  readonly sample: SampleReview;
  /** Whether the service has accepted the current key. */
  isConnected(): boolean;
  /** Whether the open conversation contains a response. */
  isAnswered(): boolean;
  /** Names of the open folders. */
  folders(): readonly string[];
}

export function createStartCommands({ sample, isConnected, isAnswered, folders }: StartDeps) {
  async function openStart(): Promise<void> {
    const walkthrough = "patchbay.patchbay#patchbay.start";
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthrough, false);
    // What was done before the walkthrough was opened counts as well.
    const set = (key: string, value: boolean) => vscode.commands.executeCommand("setContext", key, value);
    await set(contextKeys.startConnected, isConnected());
    await set(contextKeys.startAnsweredBefore, isAnswered());
  }

  async function openSample(): Promise<void> {
    const content = sampleText;
    const document = await newDocument(content, "typescript");
    const at = content.indexOf("export function discount");
    const range = new vscode.Range(
      document.positionAt(at),
      document.positionAt(content.indexOf("}\n", at) + 1),
    );
    await vscode.window.showTextDocument(document, { selection: range, preview: false });
  }

  async function reviewSample(): Promise<void> {
    await sample.begin(folders());
  }

  return {
    [commands.openStart]: openStart,
    [commands.openSample]: openSample,
    [commands.reviewSample]: reviewSample,
  };
}
