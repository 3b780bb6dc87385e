// A patch to try the review on, without a service and without touching a file: it lies on the same desk as real ones and
// goes through the same engine, over a workspace of one text.
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { Decision } from "../../core/conversation/decision.ts";
import type { ConversationEvent } from "../../core/conversation/events.ts";
import type { Conversation, Turn } from "../../core/conversation/state.ts";
import { applyEdits } from "../../core/patch/edits.ts";
import { guardFiles } from "../../core/tools/guarded-files.ts";
import { Proposals } from "../../core/tools/proposals.ts";
import { reviewPatch } from "../../core/tools/review-patch.ts";
import type { CallContext, PatchShown } from "../../core/tools/tool.ts";
import { Emitter } from "../../core/util/emitter.ts";
import { noWorkspace, type Workspace } from "../../core/workspace.ts";
import { newDocument } from "../new-document.ts";
import { showInformation } from "../notify.ts";
import type { ReviewedSession } from "../review/desk.ts";
import { sampleFolder } from "../workspace/places.ts";
import { sampleName, samplePatch, sampleText } from "./sample-code.ts";

export interface SampleReview extends ReviewedSession {
  /** Puts the sample on the desk, beside the folders that are open: there need be none. */
  begin(folders: readonly string[]): Promise<void>;
}

const call = "patchbay-sample";

/** The session as the review sees it, with the sample's turn behind its own while that lies there. */
export function withSample(session: ReviewedSession): SampleReview {
  const events = new Emitter<ConversationEvent>();
  const proposals = new Proposals();
  let turn: Turn | undefined;
  let decide: ((decision: Decision) => void) | undefined;

  function show(shown: PatchShown): void {
    const part = { type: "patch" as const, id: call, call, ...shown, files: [...shown.files] };
    turn = { ...sampleTurn(), parts: [part] };
    events.fire({ ...part, turn: call });
  }

  async function run(open: readonly string[], shown: () => void): Promise<void> {
    // Among several folders a path begins with the name of its own.
    const isOneOfSeveral = open.length > 1;
    const workspace = workspaceOfOne(isOneOfSeveral ? [...open, sampleFolder] : [sampleFolder]);
    const path = isOneOfSeveral ? `${sampleFolder}/${sampleName}` : sampleName;
    const context: CallContext = {
      turn: call,
      call,
      permission: "ask",
      proposals,
      workspace,
      files: guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] })),
      protection: () => undefined,
      atomic: true,
      async show(patch) {
        show(patch);
        if (patch.status === "proposed") shown();
      },
      ask: () =>
        new Promise((resolve) => {
          decide = resolve;
        }),
    };
    await reviewPatch(samplePatch(path), context, new AbortController().signal);
    decide = undefined;
    turn = undefined;
    events.fire({ type: "ended", turn: call, at: Date.now(), ending: "done" });
    const [edits] = (proposals.get(call)?.applied ?? []).flatMap((change) =>
      "edits" in change ? [change.edits] : [],
    );
    await tellEnd(edits);
  }

  return {
    get state(): Conversation {
      const { state } = session;
      return turn === undefined ? state : { ...state, turns: [...state.turns, turn] };
    },
    decide(id, decision) {
      if (id === call) decide?.(decision);
      else session.decide(id, decision);
    },
    proposal: (id) => (id === call ? proposals.get(call) : session.proposal(id)),
    onEvent(listener) {
      const [own, others] = [events.on(listener), session.onEvent(listener)];
      return vscode.Disposable.from(own, others);
    },
    onSwitch: session.onSwitch,
    begin(folders) {
      if (decide !== undefined) return Promise.resolve();
      return new Promise((resolve, reject) => {
        run(folders, resolve).catch(reject);
      });
    },
  };
}

const sampleTurn = (): Turn => ({
  id: call,
  at: Date.now(),
  model: "svc-k3",
  route: "responses",
  prompt: vscode.l10n.t("A sample to try the review on"),
  attachments: [],
  continues: false,
  parts: [],
  status: "running",
  usage: [],
  receipts: [],
});

async function tellEnd(edits: Parameters<typeof applyEdits>[1] | undefined): Promise<void> {
  const t = vscode.l10n.t;
  const show = t("Show Result");
  const chosen = await showInformation(
    t("This was a sample: no file was changed and nothing was sent."),
    show,
  );
  if (chosen !== show) return;
  const content = edits === undefined ? sampleText : applyEdits(sampleText, edits);
  await vscode.window.showTextDocument(await newDocument(content, "typescript"));
}

function workspaceOfOne(folders: readonly string[]): Workspace {
  return {
    ...noWorkspace,
    folders,
    trusted: true,
    async look({ folder, path }) {
      const isIt = folder === sampleFolder && path === sampleName;
      const bytes = isIt ? Buffer.byteLength(sampleText) : 0;
      const kind = isIt ? "file" : "nothing";
      return {
        kind,
        real: path,
        link: false,
        names: 1,
        bytes,
        writable: true,
        spelled: undefined,
        guarded: false,
      };
    },
    read: async () => ({ kind: "text", text: sampleText, version: 1 }),
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    apply: async () => ({ outcome: "applied" }),
  };
}
