// What is known of a change as text to go with it: for a pull request, and below a commit message. It says what was
// checked, on which state, with what result; a model's words are only in the response, which is last and quoted.
import type { Written } from "../../../changes/line-origins.ts";
import { fewFiles } from "../../../checks/report.ts";
import { type Message, message } from "../../../conversation/messages.ts";
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

/** The language of the text. */
interface PullRequestWords {
  spell(message: Message): string;
  readonly changes: string;
  readonly evidence: string;
  readonly response: string;
}

interface PullRequest extends SetEvidence {
  readonly title: string;
  readonly turns: readonly Turn[];
  /** The calls that made the changes. */
  readonly calls: ReadonlySet<string>;
  /** Of the proposal that the results are about. */
  readonly state: string | undefined;
}

/** Further changes are left to the diff. */
const maxChanges = 100;

export function pullRequestText(request: PullRequest, words: PullRequestWords): string {
  const { title, turns, calls, changes, results, state } = request;
  const facts = [
    checksInWords(results, state),
    ...contradictions(request),
    ...otherClaims(request),
    ...evidenceOfSet({ claims: [], changes }),
  ];
  const made = turns.findLast(({ parts }) =>
    parts.some((part) => part.type === "patch" && calls.has(part.call)),
  );
  const response = made?.parts.findLast((part) => part.type === "text");
  const parts = [
    `# ${title.replace(/\s+/g, " ")}`,
    `## ${words.evidence}`,
    listed(facts.map(words.spell)),
    `## ${words.changes}`,
    listed(changes.slice(0, maxChanges).map((change) => words.spell(evidenceLine(change)))),
    ...(response?.type === "text" ? [`## ${words.response}`, quoted(response.text.trim())] : []),
  ];
  return withoutControls(`${parts.filter((part) => part !== "").join("\n\n")}\n`);
}

/** Nothing in the text can end the quotation. */
const quoted = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join("\n");

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** What was written into a file by conversations, and its text now. */
export interface WrittenFile {
  readonly path: string;
  readonly live: string;
  /** Oldest first. */
  readonly written: readonly Written[];
}

/** Lines below a commit message: results of the checks before these files were accepted. */
export function acceptedEvidence(files: readonly WrittenFile[]): readonly Message[] {
  const byProof = new Map<string, { readonly results: Written["acceptance"]; readonly paths: string[] }>();
  const changed: string[] = [];
  for (const { path, live, written } of files) {
    const last = written.findLast(({ acceptance }) => (acceptance?.proof.length ?? 0) > 0);
    if (last?.acceptance === undefined) continue;
    const key = JSON.stringify(last.acceptance.proof);
    const same = byProof.get(key) ?? { results: last.acceptance, paths: [] };
    same.paths.push(path);
    byProof.set(key, same);
    if (last.text !== live) changed.push(path);
  }
  const checked = [...byProof.values()].map(({ results, paths }) =>
    message("evidenceAccepted", { files: fewFiles(paths), results: results?.proof ?? [] }),
  );
  const since = changed.length === 0 ? [] : [message("evidenceChangedSince", { files: fewFiles(changed) })];
  return [...checked, ...since];
}
