// Runs that are kept: what the player has replied, in order, and what came of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = "test/live/recorded";

export const recordedNames = (): readonly string[] => readdirSync(folder).sort();

const replyFile = (name: string, number: number): string => join(folder, name, `${number}.txt`);

export function recordedReplies(name: string): readonly string[] {
  const replies: string[] = [];
  for (let number = 1; existsSync(replyFile(name, number)); number += 1)
    replies.push(readFileSync(replyFile(name, number), "utf8"));
  return replies;
}

/** In the place of those that were kept. */
export function keepReplies(name: string, replies: readonly string[]): void {
  for (const number of recordedReplies(name).keys()) rmSync(replyFile(name, number + 1));
  mkdirSync(join(folder, name), { recursive: true });
  for (const [at, reply] of replies.entries()) writeFileSync(replyFile(name, at + 1), `${reply.trimEnd()}\n`);
}

export const recordedOutcome = (name: string): unknown =>
  JSON.parse(readFileSync(join(folder, name, "outcome.json"), "utf8"));

export const keepOutcome = (name: string, outcome: object): void =>
  writeFileSync(join(folder, name, "outcome.json"), `${JSON.stringify(outcome, null, 2)}\n`);
