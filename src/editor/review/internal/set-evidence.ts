// The evidence of a set of changes: claims of the response against facts, and what is known of each change. Its rows in the
// Pending Changes view stand above all others where a claim is contradicted.
import * as vscode from "vscode";
import { acceptableHunks, type PendingHunk } from "../../../changes/pending-changes.ts";
import {
  type ChangeEvidence,
  contradictions,
  evidenceOfChange,
  evidenceOfSet,
  otherClaims,
  type SetEvidence,
} from "../../../evidence/change-evidence.ts";
import { claimsOfResponse } from "../../../evidence/response-facts.ts";
import { pathOf } from "../../../files/refusal.ts";
import { localize } from "../../localize.ts";
import type { References } from "./count-references.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";
import type { SeenChanges } from "./seen-changes.ts";

interface EvidenceDeps {
  readonly reviewModel: Pick<ReviewModel, "files">;
  readonly references: References;
  readonly seen: Pick<SeenChanges, "has">;
  folders(): readonly string[];
}

export interface Evidence {
  /** `counts`: references that are not known yet are counted, because somebody looks. */
  of(set: ReviewSet, counts?: boolean): SetEvidence;
  /** The same; references are counted if the response claims something of callers. */
  asked(set: ReviewSet): SetEvidence;
  /** What is known of one change, as words. */
  ofHunk(file: WaitingFile, hunk: PendingHunk): readonly string[];
}

export function createEvidence({ reviewModel, references, seen, folders }: EvidenceDeps): Evidence {
  const known = (file: WaitingFile, hunk: PendingHunk, counts: boolean): ChangeEvidence => ({
    place: hunk.line === undefined ? file.to : `${file.to}:${hunk.line}`,
    flags: hunk.flags,
    isSeen: seen.has(file, hunk.id),
    references: counts ? references.factsOf(file, hunk) : undefined,
  });
  const isAboutCallers = ({ claims }: SetEvidence) =>
    claims.some(({ kind }) => kind === "no-other-callers" || kind === "callers-updated");
  function evidenceIn(set: ReviewSet, counts = false): SetEvidence {
    const { session, changes } = set;
    const own = reviewModel.files.filter((file) => file.set === set);
    const hunks = own.flatMap((file) =>
      acceptableHunks(file.pending).map((hunk) => known(file, hunk, counts)),
    );
    const results = session?.patches.checks?.results ?? [];
    const claims = claimsOfResponse({
      turns: session?.state.turns ?? [],
      pending: changes.pending,
      results,
      references: references.knownOf(set),
      nameOf: (file) => pathOf(file, folders()),
    });
    return { claims, changes: hunks, results, references: references.knownOf(set) };
  }
  return {
    of: evidenceIn,
    asked(set) {
      const found = evidenceIn(set);
      return isAboutCallers(found) ? evidenceIn(set, true) : found;
    },
    ofHunk: (file, hunk) => evidenceOfChange(known(file, hunk, true)).map(localize),
  };
}

/** A claim that facts speak against, or the one line for all of a set, with the other claims below it. */
export type EvidenceNode =
  | { readonly kind: "contradiction"; readonly set: ReviewSet; readonly said: string }
  | {
      readonly kind: "evidence";
      readonly set: ReviewSet;
      readonly said: string;
      readonly below: readonly string[];
    }
  | { readonly kind: "claim"; readonly set: ReviewSet; readonly said: string };

export function evidenceBelow(set: ReviewSet, evidence: Evidence): readonly EvidenceNode[] {
  if (set.session === undefined) return [];
  const found = evidence.asked(set);
  const against = contradictions(found).map(
    (said): EvidenceNode => ({ kind: "contradiction", set, said: localize(said) }),
  );
  const line = evidenceOfSet(found).map(localize).join(" · ");
  const below = otherClaims(found).map(localize);
  return line === "" ? against : [...against, { kind: "evidence", set, said: line, below }];
}

export const nameOfEvidence = ({ kind, set, said }: EvidenceNode): string =>
  kind === "evidence" ? `evidence ${set.session?.id}` : `${kind} ${set.session?.id} ${said}`;

export function evidenceItem(node: EvidenceNode): vscode.TreeItem {
  const { kind, said } = node;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(kind === "evidence" ? vscode.l10n.t("Evidence") : said, None);
  item.id = nameOfEvidence(node);
  item.tooltip = said;
  item.contextValue = kind;
  if (kind === "contradiction")
    item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  if (kind === "evidence") {
    item.iconPath = new vscode.ThemeIcon("checklist");
    item.description = said;
    if (node.below.length > 0) item.collapsibleState = Collapsed;
  }
  item.accessibilityInformation = {
    label: kind === "evidence" ? `${vscode.l10n.t("Evidence")}, ${said}` : said,
  };
  return item;
}
