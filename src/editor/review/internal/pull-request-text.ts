// What is known of a change as text to go with it: for a pull request, and below a commit message. It says what was
// checked, on which state, with what result; nothing in it is a model's word but what is marked as the response.
import type { Written } from "../../../changes/line-origins.ts";
import { fewFiles } from "../../../checks/report.ts";
import { message } from "../../../conversation/messages.ts";
import type { Turn } from "../../../conversation/state.ts";
import {
  checksInWords,
  contradictions,
  evidenceLine,
  evidenceOfSet,
  otherClaims,
  type SetEvidence,
} from "../../../evidence/change-evidence.ts";
import { withoutControls } from "../../../util/text.ts";
import { localize } from "../../localize.ts";

/** Words of the editor that stand in the text. */
export interface PullRequestWords {
  readonly changes: string;
  readonly evidence: string;
}

interface PullRequest extends SetEvidence {
  readonly title: string;
  readonly turns: readonly Turn[];
  /** Of the proposal that the results are about. */
  readonly state: string | undefined;
}

/** Further changes are left to the diff. */
const maxChanges = 100;

export function pullRequestText(request: PullRequest, words: PullRequestWords): string {
  const { title, turns, changes, results, state } = request;
  const facts = [
    checksInWords(results, state),
    ...contradictions(request),
    ...otherClaims(request),
    ...evidenceOfSet({ claims: [], changes }),
  ];
  const said = turns.findLast(({ parts }) => parts.some(({ type }) => type === "text"));
  const response = said?.parts.findLast((part) => part.type === "text");
  const parts = [
    `# ${title}`,
    response?.type === "text" ? response.text.trim() : "",
    `## ${words.changes}`,
    listed(changes.slice(0, maxChanges).map((change) => localize(evidenceLine(change)))),
    `## ${words.evidence}`,
    listed(facts.map(localize)),
  ];
  return withoutControls(`${parts.filter((part) => part !== "").join("\n\n")}\n`);
}

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** What was written into a file by conversations, and its text now. */
export interface WrittenFile {
  readonly path: string;
  readonly live: string;
  /** Oldest first. */
  readonly written: readonly Written[];
}

/** Lines below a commit message: results of the checks before these files were accepted. */
export function acceptedEvidence(files: readonly WrittenFile[]): readonly string[] {
  const byProof = new Map<string, { readonly results: Written["acceptance"]; readonly paths: string[] }>();
  const changed: string[] = [];
  for (const { path, live, written } of files) {
    const last = written.findLast(({ acceptance }) => (acceptance?.proof.length ?? 0) > 0);
    if (last?.acceptance === undefined) continue;
    const key = JSON.stringify(last.acceptance.proof);
    const same = byProof.get(key) ?? { results: last.acceptance, paths: [] };
    same.paths.push(path);
    byProof.set(key, same);
    if (written.at(-1)?.text !== live) changed.push(path);
  }
  const checked = [...byProof.values()].map(({ results, paths }) =>
    message("evidenceAccepted", { files: fewFiles(paths), results: results?.proof ?? [] }),
  );
  const since = changed.length === 0 ? [] : [message("evidenceChangedSince", { files: fewFiles(changed) })];
  return [...checked, ...since].map(localize);
}
