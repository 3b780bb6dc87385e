// Review…: sends the chosen code to a model in as many questions as it takes, each in a task that is not visible, and
// shows the findings at their lines. What was not reviewed is reported with the reason; nothing is skipped silently.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Turn } from "../../conversation/state.ts";
import { type Ask, type Companion, requireTrust } from "../../editor/actions/ask.ts";
import { localize } from "../../editor/localize.ts";
import { showInformation } from "../../editor/notify.ts";
import { type ReportProgress, withProgress } from "../../editor/ui/show-problem.ts";
import { hasRepository } from "../../editor/workspace/git.ts";
import type { Session } from "../../session/session.ts";
import { readFindings } from "../internal/read-findings.ts";
import { batchesOf, reviewPrompt, reviewTools } from "../internal/review-prompt.ts";
import type { FindingList, Left } from "./internal/finding-list.ts";
import {
  type Choice,
  type CodePiece,
  choicesFor,
  selectionOf,
  type ToReview,
  uncommitted,
  uncommittedOf,
} from "./what-to-review.ts";

interface ReviewCodeDeps {
  readonly ask: Ask;
  readonly findings: FindingList;
  session(): Pick<Session, "read">;
  /** The editor the user is in. */
  editor(): vscode.TextEditor | undefined;
  /** Approximate number of tokens of these attachments. */
  weigh(companions: readonly Companion[]): Promise<number>;
  /** Brings the list of findings into view. */
  showList(): PromiseLike<unknown>;
  /** Reports that a request of the user failed. */
  report(error: unknown): void;
  /** For tests: in VS Code only a person can answer. */
  readonly pick?: (choices: readonly Choice[]) => PromiseLike<Choice | undefined>;
  readonly tell?: (sentence: string, ...buttons: string[]) => PromiseLike<string | undefined>;
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
    if (argument === uncommitted) return () => uncommittedOf(inUse);
    const isOfMenu = argument instanceof vscode.Uri && inUse?.document.uri.toString() === argument.toString();
    if (isOfMenu && !inUse.selection.isEmpty) return () => selectionOf(inUse);
    const choices = choicesFor(inUse, await hasRepository());
    if (choices.length === 0) throw new HumanError(t("Open a file first."));
    return (await pick(choices))?.choose();
  }

  /** Keeps only what may be sent, checked by the guard that every attachment passes. */
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
      if (notes.length > 0) notSent.push({ name: piece.name, why: notes.map(localize).join(" ") });
      if (code === undefined || code.isRefused === true || code.view.bytes === 0) continue;
      sized.push({ ...piece, bytes: read.reduce((sum, { view }) => sum + view.bytes, 0) });
    }
    return { sized, left: notSent };
  }

  /** The spend guard covers the cost of one question; if several are needed, the user confirms before the first. */
  async function isWanted(batches: readonly (readonly Sized[])[]): Promise<boolean> {
    if (batches.length < 2) return true;
    const pieces = batches.flat();
    const tokens = await weigh(pieces.flatMap(({ companions }) => companions));
    const sentence = t(
      "Review {0} files with at least {1} requests (≈{2} tokens)?",
      pieces.length,
      batches.length,
      tokens,
    );
    return (await tell(sentence, title)) === title;
  }

  /** Returns the number of findings, or `undefined` if a further batch would fail as well. */
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
      tools: reviewTools,
      // Several batches were confirmed together.
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
    const { findings: found, unread } = readFindings(lastTextOf(turn), names);
    // What cannot be read may have been about what is known: that stays.
    const isRead = isWhole && unread.length === 0;
    await findings.put(new Map(batch.map(({ name, uri }) => [name, uri])), found, { isWhole: isRead });
    const why = {
      form: (words: string) => t("This part of the response can't be read: {0}", words),
      file: (words: string) => t("This part of the response is about a file that wasn't sent: {0}", words),
    };
    const name = names.length === 1 ? (names[0] ?? "") : t("{0} files", names.length);
    findings.leave(unread.map((each) => ({ name, why: why[each.why](each.words) })));
    return found.length;
  }

  /** Returns the number of findings; `undefined` if nothing was asked. */
  async function run(
    gather: () => Promise<ToReview>,
    signal: AbortSignal,
    progress: ReportProgress,
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
    const isEmpty = count === 0 && isAll;
    if ((await tell(sentence, ...(isEmpty ? [] : [t("Show Findings")]))) !== undefined) await showList();
  }

  return async (argument: unknown): Promise<void> => {
    requireTrust();
    const gather = await chosen(argument);
    if (gather === undefined) return;
    const count = await withProgress(title, (signal, progress) => run(gather, signal, progress));
    if (count !== undefined) tellEnd(count).catch(report);
  };
}

/** Text that precedes further reading of files contains no findings. */
function lastTextOf({ parts }: Turn): string {
  const said = parts.slice(parts.findLastIndex(({ type }) => type === "tool") + 1);
  return said.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
}

const pickChoice = (choices: readonly Choice[]) =>
  vscode.window.showQuickPick(choices, { title: vscode.l10n.t("Review") });
