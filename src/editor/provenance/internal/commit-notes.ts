// Notes for existing commits: which of their lines came from which conversation, according to what the conversations have
// recorded. A note depends on the texts alone, so an amended or rebased commit gets a new one of its own.

import { attesting } from "../../../changes/line-origins.ts";
import type { Origin } from "../../../changes/stored-origins.ts";
import { inEnglish } from "../../../conversation/english.ts";
import { runTask } from "../../../util/background.ts";
import { type Attestation, type CallFacts, isExpressible, printAuthorshipLog } from "./authorship-log.ts";
import { addNote, type Commit, filesIn, newCommits, personOf, type Repository, readTexts } from "./git.ts";

export interface CommitNoteDeps {
  /** What conversations have written to a file of the repository, oldest first. */
  writtenIn(path: string): Promise<readonly Origin[]>;
  /** The hashes of what the service has signed, by the receipt's nonce. */
  receipt(
    nonce: string,
  ): Promise<{ readonly requestSha256: string; readonly responseSha256: string } | undefined>;
}

const most = { commits: 50, files: 500, letters: 2_000_000, said: 900 };

/**
 * Adds notes to the new commits that the person has made and that contain lines of conversations. Returns their ids.
 * Commits of others, which have been pulled, and commits that have a note are left as they are.
 */
export async function noteCommits(
  repository: Repository,
  from: string | undefined,
  to: string,
  deps: CommitNoteDeps,
): Promise<readonly string[]> {
  const commits = await newCommits(repository, from, to, most.commits);
  if (commits.length === 0) return [];
  const person = await personOf(repository);
  const noted: string[] = [];
  for (const commit of commits) {
    if (commit.committer !== person) continue;
    const note = await noteOf(repository, commit, person, deps);
    if (note !== undefined && (await addNote(repository, commit, note))) noted.push(commit.id);
  }
  return noted;
}

/** `undefined`: none of its lines is a conversation's. */
async function noteOf(
  repository: Repository,
  commit: Commit,
  person: string,
  deps: CommitNoteDeps,
): Promise<string | undefined> {
  const paths = (await filesIn(repository, commit)).filter(isExpressible).slice(0, most.files);
  const files: { path: string; attestations: Attestation[] }[] = [];
  const facts = new Map<string, CallFacts>();
  for (const path of paths) {
    const origins = await deps.writtenIn(path);
    if (origins.length === 0) continue;
    const [text, before] = await readTexts(
      repository,
      [`${commit.id}:${path}`, ...(commit.parent === undefined ? [] : [`${commit.parent}:${path}`])],
      most.letters,
    );
    if (text === undefined) continue;
    const written = origins.map(({ written: { text, lines } }) => ({ text, lines }));
    const letters = written.reduce((sum, each) => sum + each.text.length, text.length);
    const ranges = await runTask(attesting, { before, text, written }, letters);
    const attestations: Attestation[] = [];
    for (const [at, { conversation, written }] of origins.entries()) {
      const spans = (ranges[at] ?? []).map(({ first, last }) => ({ first: first + 1, last }));
      if (spans.length === 0) continue;
      const call = `${conversation.id}/${written.turn}/${written.call}`;
      const session = { conversation: conversation.id, model: written.model ?? "unknown" };
      attestations.push({ session, call, spans });
      facts.set(call, await factsOf(written, person, deps));
    }
    if (attestations.length > 0) files.push({ path, attestations });
  }
  return printAuthorshipLog({ commit: commit.id, person, files, facts });
}

async function factsOf(
  { acceptance, receipt }: Origin["written"],
  person: string,
  deps: CommitNoteDeps,
): Promise<CallFacts> {
  const checks = (acceptance?.proof ?? []).map(inEnglish).join("; ");
  const signed = receipt === undefined ? undefined : await deps.receipt(receipt);
  return {
    accepted_by: person,
    ...(acceptance !== undefined && { accepted_at: new Date(acceptance.at).toISOString() }),
    ...(checks !== "" && { checks: checks.slice(0, most.said) }),
    ...(signed !== undefined && {
      receipt_request_sha256: signed.requestSha256,
      receipt_response_sha256: signed.responseSha256,
    }),
  };
}
