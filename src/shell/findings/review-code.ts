// Review…: what was chosen goes to a model in as many questions as it takes, each a task that nobody sees; what comes back is
// told at its lines. What was not looked at, and why, is told as well: nothing is left out without a word.
import * as vscode from "vscode";
import { readFindings } from "../../core/findings/read-findings.ts";
import { batchesOf, reviewPrompt } from "../../core/findings/review-prompt.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Session } from "../../core/session/session.ts";
import { type Ask, refuseWithoutTrust } from "../actions/ask.ts";
import type { Companion } from "../actions/list-context.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { showInformation } from "../notify.ts";
import { textOf } from "../threads/thread-talk.ts";
import { type Tell, withProgress } from "../with-progress.ts";
import type { FindingList, Left } from "./finding-list.ts";
import { type Choice, type CodePiece, choicesFor, selectionOf, type ToReview } from "./what-to-review.ts";

export interface ReviewCodeDeps {
  readonly ask: Ask;
  readonly findings: FindingList;
  session(): Pick<Session, "read">;
  /** The editor a person is in. */
  editor(): vscode.TextEditor | undefined;
  /** About how many tokens these come to. */
  weigh(companions: readonly Companion[]): Promise<number>;
  /** Brings the list of findings into sight. */
  showList(): PromiseLike<unknown>;
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
  /** For tests: VS Code lets nobody but a person answer. */
  readonly pick?: (choices: readonly Choice[]) => PromiseLike<Choice | undefined>;
  readonly tell?: (sentence: string, button: string) => PromiseLike<string | undefined>;
}

interface Sized extends CodePiece {
  readonly bytes: number;
}

const secondsToLook = 10;

export function createReviewCode(deps: ReviewCodeDeps) {
  const { ask, findings, session, editor, weigh, showList, report } = deps;
  const t = vscode.l10n.t;
  const title = t("Review");
  const { pick = pickChoice, tell = showInformation } = deps;

  async function chosen(argument: unknown): Promise<(() => Promise<ToReview>) | undefined> {
    const inUse = editor();
    const isOfMenu = argument instanceof vscode.Uri && inUse?.document.uri.toString() === argument.toString();
    if (isOfMenu && !inUse.selection.isEmpty) return () => selectionOf(inUse);
    return (await pick(choicesFor(inUse)))?.choose();
  }

  /** Only what may go is asked about: the same guard as for every attachment says so. */
  async function look(
    { pieces, left }: ToReview,
    signal: AbortSignal,
  ): Promise<{ readonly sized: readonly Sized[]; readonly left: readonly Left[] }> {
    const sized: Sized[] = [];
    const notSent: Left[] = [...left];
    for (const piece of pieces) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(secondsToLook * 1000)]);
      const read = await Promise.all(
        piece.companions.map(({ attachment }) => session().read(attachment, limit)),
      );
      const [code] = read;
      const notes = read.flatMap(({ view }) => view.notes ?? []);
      if (notes.length > 0) notSent.push({ name: piece.name, why: notes.map(inReaderLanguage).join(" ") });
      if (code === undefined || code.isRefused === true || code.view.bytes === 0) continue;
      sized.push({ ...piece, bytes: read.reduce((sum, { view }) => sum + view.bytes, 0) });
    }
    return { sized, left: notSent };
  }

  /** What one question costs is the spend gate's business; that it is several ones, a person hears before the first. */
  async function isWanted(batches: readonly (readonly Sized[])[]): Promise<boolean> {
    if (batches.length < 2) return true;
    const pieces = batches.flat();
    const tokens = await weigh(pieces.flatMap(({ companions }) => companions));
    const sentence = t(
      "Review {0} files with {1} requests (≈{2} tokens)?",
      pieces.length,
      batches.length,
      tokens,
    );
    return (await tell(sentence, title)) === title;
  }

  /** How much was found. `undefined`: the next one would fare no better. */
  async function review(
    batch: readonly Sized[],
    { about, isWhole = false }: Pick<ToReview, "about" | "isWhole">,
    { isOne, signal }: { readonly isOne: boolean; readonly signal: AbortSignal },
  ): Promise<number | undefined> {
    const names = batch.map(({ name }) => name);
    const all = (why: string) => findings.leave(names.map((name) => ({ name, why })));
    const turn = await ask({
      ...{ title, signal, prompt: reviewPrompt(names, about) },
      companions: batch.flatMap(({ companions }) => companions),
      quiet: true,
      // What goes in several questions was agreed to as a whole.
      ...(!isOne && { list: "seen" }),
    });
    if (turn === undefined) {
      all(t("it was not sent"));
      return undefined;
    }
    if (turn.status !== "done") {
      all(t("incomplete response"));
      return turn.status === "incomplete" ? 0 : undefined;
    }
    const { findings: found, unread } = readFindings(textOf(turn), names);
    await findings.put(new Map(batch.map(({ name, uri }) => [name, uri])), found, { isWhole });
    const why = {
      form: (words: string) => t("This part of the response can't be read: {0}", words),
      file: (words: string) => t("This part of the response is about a file that wasn't sent: {0}", words),
    };
    const name = names.length === 1 ? (names[0] ?? "") : t("{0} files", names.length);
    findings.leave(unread.map((each) => ({ name, why: why[each.why](each.words) })));
    return found.length;
  }

  /** How much was found; `undefined` where nothing was asked. */
  async function run(
    gather: () => Promise<ToReview>,
    signal: AbortSignal,
    progress: Tell,
  ): Promise<number | undefined> {
    const wanted = await gather();
    if (wanted.pieces.length === 0 && wanted.left.length === 0)
      throw new HumanError(t("There's nothing to review."));
    const { sized, left } = await look(wanted, signal);
    const batches = batchesOf(sized);
    if (signal.aborted || !(await isWanted(batches))) return undefined;
    findings.begin(left);
    let count = 0;
    for (const [at, batch] of batches.entries()) {
      progress(
        batch.length === 1 ? (batch[0]?.name ?? "") : t("{0} files", batch.length),
        at / batches.length,
      );
      const found = await review(batch, wanted, { isOne: batches.length === 1, signal });
      count += found ?? 0;
      if (found !== undefined && !signal.aborted) continue;
      const rest = batches.slice(at + 1).flat();
      findings.leave(rest.map(({ name }) => ({ name, why: t("it was not sent") })));
      break;
    }
    return count;
  }

  async function tellEnd(count: number): Promise<void> {
    const found =
      count === 0
        ? t("No problems found.")
        : count === 1
          ? t("1 problem found.")
          : t("{0} problems found.", count);
    const isAll = findings.left.length === 0;
    const sentence = isAll ? found : `${found} ${t("Some of it wasn't reviewed.")}`;
    if ((await tell(sentence, t("Show Findings"))) !== undefined) await showList();
  }

  return async (argument: unknown): Promise<void> => {
    refuseWithoutTrust();
    const gather = await chosen(argument);
    if (gather === undefined) return;
    const count = await withProgress(title, (signal, progress) => run(gather, signal, progress));
    if (count !== undefined) tellEnd(count).catch(report);
  };
}

const pickChoice = (choices: readonly Choice[]) =>
  vscode.window.showQuickPick(choices, { title: vscode.l10n.t("Review") });
