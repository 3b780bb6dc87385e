// A question about one change that waits: it goes to the session that proposes it, which revises its proposal in place.
import { HumanError } from "../../core/messages/human-error.ts";
import { problemInWords } from "../show-problem.ts";
import { textOf } from "../threads/thread-talk.ts";
import type { HunkPlace } from "./diff-sides.ts";
import type { WaitingFile } from "./review-model.ts";

/** Answers what the model says to it. @throws HumanError why it said nothing. */
export async function askAboutChange(file: WaitingFile, place: HunkPlace, words: string): Promise<string> {
  const { session } = file.set;
  const line = place.after.first + 1;
  const turn = await session?.send({
    prompt: words,
    attachments: [{ kind: "diff", name: `${file.to}:${line}`, text: changeForModel(file, place) }],
  });
  if (turn?.problem !== undefined) throw new HumanError(problemInWords(turn.problem));
  return textOf(turn);
}

function changeForModel({ to, change }: WaitingFile, { before, text }: HunkPlace): string {
  const old = "base" in change ? change.base.text.split("\n").slice(before.first, before.last) : [];
  return [
    `This is about one change that you have proposed for ${to}; the user has not decided about it yet.`,
    "If it should be different, revise it with apply_patch: the file already reads as proposed.",
    `@@ line ${before.first + 1} @@`,
    ...old.map((row) => `-${row}`),
    ...(text === "" ? [] : text.split("\n").map((row) => `+${row}`)),
  ].join("\n");
}
