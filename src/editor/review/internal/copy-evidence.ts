// Copies a set of changes as the text of a pull request, and finds what was checked before the files of a commit were
// accepted. Both ask for it only when somebody wants the text.
import * as vscode from "vscode";
import type { Written } from "../../../changes/line-origins.ts";
import type { Origins } from "../../../changes/stored-origins.ts";
import { localize } from "../../localize.ts";
import { commands } from "../../manifest.ts";
import { showInformation } from "../../notify.ts";
import { toFileName } from "../../workspace/file-uris.ts";
import { acceptedEvidence, pullRequestText, type WrittenFile } from "./pull-request-text.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet } from "./review-targets.ts";
import type { ReviewNode } from "./review-tree.ts";
import type { Evidence } from "./set-evidence.ts";

interface CopyEvidenceDeps {
  readonly reviewModel: Pick<ReviewModel, "sets" | "allChangeSets">;
  readonly evidence: Evidence;
  /** Changes recorded by conversations that are not open here. */
  readonly kept: Pick<Origins, "writtenIn">;
  nodeOf(argument: unknown): ReviewNode | undefined;
}

/** Of a commit; the others are not looked up. */
const maxFiles = 50;

export function createCopyEvidence({ reviewModel, evidence, kept, nodeOf }: CopyEvidenceDeps) {
  const t = vscode.l10n.t;

  function textOf(set: ReviewSet): string {
    const { session, name, changes } = set;
    const words = {
      ...{ spell: localize, changes: t("Changes"), evidence: t("Evidence") },
      response: t("Model's Response"),
    };
    const calls = new Set(changes.pending.flatMap((file) => file.calls));
    const turns = session?.state.turns ?? [];
    const state = session?.patches.checks?.state;
    return pullRequestText({ ...evidence.of(set, true), title: name, turns, calls, state }, words);
  }

  async function writtenIn(uri: vscode.Uri): Promise<WrittenFile | undefined> {
    const file = toFileName(uri);
    if (file === undefined) return undefined;
    const sets = reviewModel.allChangeSets;
    const open = new Set(sets.flatMap(({ session }) => session?.id ?? []));
    const written: Written[] = (await kept.writtenIn(file, open)).map((origin) => origin.written);
    for (const { changes } of sets) for (const each of await changes.writtenIn(file)) written.push(each);
    if (written.length === 0) return undefined;
    const at = ({ acceptance }: Written) => acceptance?.at ?? 0;
    const live = (await vscode.workspace.openTextDocument(uri)).getText();
    const inOrder = written.toSorted((one, other) => at(one) - at(other));
    return { path: vscode.workspace.asRelativePath(uri), live, written: inOrder };
  }

  return {
    /** Lines for the message of a commit of these files; none if nothing in them was checked. */
    async ofFiles(uris: readonly vscode.Uri[]): Promise<readonly string[]> {
      const files: WrittenFile[] = [];
      for (const uri of uris.slice(0, maxFiles)) {
        // A file that was deleted has no text to compare.
        const file = await writtenIn(uri).catch(() => undefined);
        if (file !== undefined) files.push(file);
      }
      return acceptedEvidence(files).map(localize);
    },
    commands: {
      async [commands.copyPullRequest](argument: unknown): Promise<void> {
        const node = nodeOf(argument);
        const own = node?.kind === "file" || node?.kind === "hunk" ? node.file.set : node?.set;
        const set = own ?? reviewModel.sets[0];
        if (set === undefined) return void showInformation(t("No changes to review."));
        await vscode.env.clipboard.writeText(textOf(set));
        void showInformation(t("Copied as pull request text, with its evidence."));
      },
    },
  };
}
