// What is said about proposals in the threads of an editor, by the user and the model. Does not draw anything.
import * as vscode from "vscode";
import { HumanError } from "../../../conversation/messages.ts";
import type { Turn } from "../../../conversation/state.ts";
import { forModel } from "../../../util/sentences.ts";
import { comment, followResponse, modelMarkdown, responseText } from "../../ui/response-comment.ts";
import { problemInWords } from "../../ui/show-problem.ts";
import type { HunkPlace } from "./hunk-places.ts";
import { moreInWords, proposedLines, type ThreadPlace } from "./hunk-thread-contents.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

/** The comments about the proposal for a file. */
export interface Talk {
  readonly comments: readonly vscode.Comment[];
  /** The line of the proposed text at which it began. */
  readonly line: number;
  /** The proposed text before the last response. */
  readonly before: string;
  /** At first, while nobody has asked about the proposal. */
  readonly isFolded: boolean;
}

interface HunkTalks {
  /** Assigns each talk to one of these changes. */
  at(places: readonly ThreadPlace[]): ReadonlyMap<ThreadPlace, Talk>;
  /** Asks about a change and shows the response while it is streamed. */
  ask(file: WaitingFile, place: HunkPlace, words: string): Promise<void>;
  /** The same for what was sent in another way: the response is shown below this change. */
  follow(
    file: WaitingFile,
    place: HunkPlace,
    words: string,
    answer: () => Promise<string | undefined>,
  ): Promise<void>;
  /** Attaches the comments that preceded this set to its first change, collapsed. */
  say(set: ReviewSet, comments: readonly vscode.Comment[]): void;
  fold(file: WaitingFile, isFolded: boolean): void;
  /** The proposal before the last response, if there are comments about it. */
  textBefore(file: WaitingFile): string | undefined;
  /** Removes the comments about decided changes. */
  forgetDecided(): void;
}

export interface HunkTalkDeps {
  readonly desk: Pick<ReviewModel, "files" | "find" | "placesOf" | "proposedText">;
  /** Asks about one change in the session that proposed it. */
  askAbout(file: WaitingFile, place: HunkPlace, words: string): Promise<string | undefined>;
  changed(): void;
}

/**
 * Keeps conversations about proposals: the user's questions about a change, the model's responses, and the proposal
 * before the last response. They move with the nearest change of the file.
 */
export function createHunkTalks({ desk: reviewModel, askAbout, changed }: HunkTalkDeps): HunkTalks {
  /** By address of the file. */
  const talks = new Map<string, Talk>();

  function keep({ address }: Pick<WaitingFile, "address">, talk: Talk): void {
    talks.set(address, talk);
    changed();
  }

  async function follow(
    file: WaitingFile,
    place: HunkPlace,
    words: string,
    ask: () => Promise<string | undefined>,
  ): Promise<void> {
    const { session } = file.set;
    if (session === undefined) return;
    const earlier = talks.get(file.address)?.comments ?? [];
    const asked = [...earlier, comment(vscode.l10n.t("You"), words)];
    const known = {
      line: place.after.first,
      before: reviewModel.proposedText(file) ?? "",
      isFolded: false,
    };
    const show = (answer: vscode.Comment) => keep(file, { ...known, comments: [...asked, answer] });
    const following = followResponse(session, show);
    try {
      const answer = await ask();
      following.dispose();
      if (answer === undefined) return keep(file, { ...known, comments: asked });
      const said = answer === "" ? vscode.l10n.t("The proposal was revised.") : modelMarkdown(answer);
      show(comment("Patchbay", said));
    } catch (error) {
      following.dispose();
      keep(file, { ...known, comments: asked });
      throw error;
    }
  }

  return {
    at(places) {
      const nearest = new Map<Talk, { readonly each: ThreadPlace; readonly distance: number }>();
      for (const each of places) {
        const talk = each.isConflict ? undefined : talks.get(each.file.address);
        if (talk === undefined) continue;
        const distance = Math.abs(each.place.after.first - talk.line);
        const best = nearest.get(talk);
        if (best === undefined || distance < best.distance) nearest.set(talk, { each, distance });
      }
      return new Map([...nearest].map(([talk, { each }]) => [each, talk]));
    },
    async ask(file, place, words) {
      if (file.set.session !== undefined)
        await follow(file, place, words, () => askAbout(file, place, words));
    },
    follow,
    say(set, comments) {
      const file = reviewModel.files.find((each) => each.set === set);
      const [first] = file === undefined ? [] : reviewModel.placesOf(file);
      if (file === undefined || first === undefined || comments.length === 0) return;
      const before = reviewModel.proposedText(file) ?? "";
      keep(file, { comments, line: first.after.first, before, isFolded: true });
    },
    fold(file, isFolded) {
      const talk = talks.get(file.address);
      if (talk !== undefined) keep(file, { ...talk, isFolded });
    },
    textBefore: ({ address }) => talks.get(address)?.before,
    forgetDecided() {
      for (const address of talks.keys()) if (reviewModel.find(address) === undefined) talks.delete(address);
    },
  };
}

export interface LentThreads {
  /** Returns the beginning of what the set writes; `undefined` if it writes no lines. */
  lend(thread: vscode.CommentThread, set: ReviewSet): vscode.Comment | undefined;
  /** The set that a pressed button refers to. */
  setOf(argument: unknown): ReviewSet | undefined;
}

const maxLines = 20;

/**
 * Threads of another room whose buttons decide about a whole set. The set is for other files than the one that contains
 * the thread, which therefore shows the beginning of the proposal.
 */
export function createLentThreads(reviewModel: Pick<ReviewModel, "files" | "placesOf">): LentThreads {
  const lent = new WeakMap<object, ReviewSet>();
  return {
    lend(thread, set) {
      lent.set(thread, set);
      const file = reviewModel.files.find((each) => each.set === set);
      const text = file === undefined ? "" : textIn(file, reviewModel);
      return file === undefined || text === "" ? undefined : beginningOf(file, text);
    },
    setOf: (argument) => (typeof argument === "object" && argument !== null ? lent.get(argument) : undefined),
  };
}

function beginningOf({ change, to }: WaitingFile, text: string): vscode.Comment {
  // The file may not be open: the highlighter also recognizes languages by file extension.
  const { body } = proposedLines(text, /\.(\w+)$/.exec(to)?.[1] ?? "", maxLines, moreInWords);
  return comment(change.kind === "add" ? vscode.l10n.t("New file {0}", to) : to, body);
}

/** What it would write: all of a new file. */
function textIn(file: WaitingFile, reviewModel: Pick<ReviewModel, "placesOf">): string {
  if (file.change.kind === "add") return file.change.text.replace(/\r?\n$/, "");
  const texts = reviewModel.placesOf(file).map(({ text }) => text);
  return texts.filter((text) => text !== "").join("\n");
}

/**
 * Asks about one pending change in the session that proposed it, which revises its proposal in place. Resolves with the
 * model's response, or with undefined if it was not asked. @throws HumanError if there is none.
 */
export async function askAboutChange(
  file: WaitingFile,
  place: HunkPlace,
  words: string,
): Promise<string | undefined> {
  const { session } = file.set;
  const line = place.after.first + 1;
  const turn = await session?.send({
    prompt: words,
    attachments: [{ kind: "diff", name: `${file.to}:${line}`, text: changeForModel(file, place) }],
  });
  return answerIn(turn);
}

/** Undefined if it was not asked, or has reached a running turn. @throws HumanError if there is none. */
export function answerIn(turn: Turn | undefined): string | undefined {
  if (turn?.problem !== undefined) throw new HumanError(problemInWords(turn.problem));
  return turn && responseText(turn);
}

function changeForModel({ to, change }: WaitingFile, { before, text }: HunkPlace): string {
  const old = "base" in change ? change.base.text.split("\n").slice(before.first, before.last) : [];
  return [
    forModel(
      `This is about one change that you have proposed for ${to}; the user has not decided about it yet.`,
    ),
    forModel("If it should be different, revise it with apply_patch: the file already reads as proposed."),
    `@@ line ${before.first + 1} @@`,
    ...old.map((row) => `-${row}`),
    ...(text === "" ? [] : text.split("\n").map((row) => `+${row}`)),
  ].join("\n");
}
