// What a person is asked about a comparison: what to compare, whether code may run, what it may use, which model to take.
import * as vscode from "vscode";
import type { CheckHost, Confinement } from "../../../checks/check.ts";
import type { Model } from "../../../conversation/models.ts";
import { localize } from "../../../editor/localize.ts";
import { showInformation } from "../../../editor/notify.ts";
import type { SpendPrices } from "../../../session/spend-guard.ts";
import { inDigits, inShort } from "../../../util/numbers-and-times.ts";
import {
  type Comparison,
  type Contestant,
  fewestCommits,
  runsLeft,
  scoresOf,
  validCommits,
} from "../../internal/comparison.ts";
import { contestantName, type PageWords, verdict } from "../../internal/comparison-page.ts";
import { type QuoteRow, quote, type TaskSize, usualCap } from "../../internal/comparison-quote.ts";

type KeptChoice =
  | { readonly kind: "new" }
  | { readonly kind: "continue" | "show"; readonly comparison: Comparison };

/** Earlier comparisons that are listed. */
const maxListed = 10;

const isOpen = (comparison: Comparison): boolean =>
  !comparison.isSearched ||
  (validCommits(comparison).length >= fewestCommits && runsLeft(comparison).length > 0);

/** Without an earlier one nothing is asked. */
export async function chooseKept(
  kept: readonly Comparison[],
  words: PageWords,
): Promise<KeptChoice | undefined> {
  const { t, language } = words;
  if (kept.length === 0) return { kind: "new" };
  const describe = (comparison: Comparison) => ({
    description: new Date(comparison.at).toLocaleString(language, {
      dateStyle: "medium",
      timeStyle: "short",
    }),
    detail: verdict(comparison, words),
  });
  const namesOf = ({ contestants }: Comparison) =>
    contestants.map((each) => contestantName(each, words)).join(", ");
  const item = (label: string, choice: KeptChoice, more = {}) => ({ label, choice, ...more });
  const picked = await vscode.window.showQuickPick(
    [
      ...kept
        .filter(isOpen)
        .slice(0, 1)
        .map((comparison) =>
          item(
            `$(debug-continue) ${t("Continue: {0}", namesOf(comparison))}`,
            { kind: "continue", comparison },
            describe(comparison),
          ),
        ),
      item(`$(add) ${t("New Comparison…")}`, { kind: "new" }),
      ...kept
        .slice(0, maxListed)
        .map((comparison) =>
          item(
            `$(output) ${t("Show Page: {0}", namesOf(comparison))}`,
            { kind: "show", comparison },
            describe(comparison),
          ),
        ),
    ],
    { title: t("Compare Models on This Repository") },
  );
  return picked?.choice;
}

interface NewChoices {
  readonly testCommands: readonly string[];
  readonly models: readonly Model[];
  readonly current: string;
  readonly words: PageWords;
}

/** Resolves with `undefined` if the person cancelled. */
export async function chooseNew({
  testCommands,
  models,
  current,
  words,
}: NewChoices): Promise<Pick<Comparison, "command" | "contestants" | "wanted"> | undefined> {
  const { t } = words;
  const title = t("Compare Models on This Repository");
  const efforts = (model: Model): readonly string[] =>
    model.route === "responses" ? ["", "low", "medium", "high"] : [""];
  const rows = models.flatMap((model) =>
    efforts(model).map((effort) => {
      const contestant: Contestant = { model: model.id, effort };
      return {
        ...{ label: contestantName(contestant, words), description: model.id, contestant },
        picked: model.id === current && effort === "",
      };
    }),
  );
  const picked = await vscode.window.showQuickPick(rows, {
    ...{ title, canPickMany: true, placeHolder: t("Select the models to compare, each with its effort") },
  });
  if (picked === undefined || picked.length === 0) return undefined;
  const counts = [10, 20, 30].map((wanted) => ({
    wanted,
    label: t("{0} tasks", wanted),
    ...(wanted === fewestCommits && { description: t("the fewest for a verdict") }),
  }));
  const count = await vscode.window.showQuickPick(counts, {
    ...{ title, placeHolder: t("Each task is a commit of this repository that brought tests") },
  });
  if (count === undefined) return undefined;
  const [only] = testCommands;
  const command =
    testCommands.length === 1
      ? only
      : await vscode.window.showQuickPick(testCommands, {
          ...{ title, placeHolder: t("Select the command that runs the tests") },
        });
  if (command === undefined) return undefined;
  return { command, contestants: picked.map(({ contestant }) => contestant), wanted: count.wanted };
}

interface AskedRun {
  readonly command: string;
  readonly body: string | undefined;
  /** Of the dependencies that are copied before, if it is much. */
  readonly size: Awaited<ReturnType<CheckHost["measure"]>>;
}

/** Without a sandbox, code of the repository and of models runs with the person's rights. */
export async function agreeToRun(
  { command, body, size }: AskedRun,
  confinement: Confinement,
  { t, language }: PageWords,
): Promise<boolean> {
  const run = t("Run");
  const detail = [
    command,
    ...(body === undefined ? [] : body.split("  →  ").map((each) => `→ ${each}`)),
    "",
    t("It runs the code of earlier commits of this repository, and of what models propose for them."),
    t("It works on a copy, but its programs have your rights."),
    ...(size === undefined
      ? []
      : [
          t(
            "First, {0} files of dependencies are copied ({1} MB), which takes a while.",
            inDigits(size.files, language),
            inDigits(Math.ceil(size.bytes / 1_000_000), language),
          ),
        ]),
    ...(confinement.kind === "none" ? [localize(confinement.why)] : []),
    ...(confinement.kind === "none" && confinement.remedy !== undefined
      ? [t("To get one: {0}", confinement.remedy)]
      : []),
  ].join("\n");
  const question = t("Runs code of this repository's commits on this computer");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, run)) === run;
}

interface Quoted {
  readonly comparison: Comparison;
  readonly sizes: readonly TaskSize[];
  readonly words: PageWords;
  readonly prices: SpendPrices;
  opening(contestant: Contestant): number;
  isCached(model: string): boolean;
}

/** Resolves with how many more tokens it may use; `undefined`: it does not start. */
export async function confirmQuote(quoted: Quoted): Promise<number | undefined> {
  const { comparison, sizes, words, opening, isCached } = quoted;
  const { t, language } = words;
  const rows = quote(comparison, sizes, opening, isCached);
  const [start, other] = [t("Start"), t("Change Limit…")];
  let cap = usualCap(rows);
  for (;;) {
    const detail = [
      ...rows.map((row) => quoteLine(row, quoted)),
      "",
      t("It stops at {0} tokens in all. What is known by then is kept.", inDigits(cap, language)),
      ...(rows.some(({ model }) => !isCached(model))
        ? [t("Chat models read everything again with each request, so nothing counts as cached.")]
        : []),
      t("Commit messages and files of earlier commits are sent; private files are not."),
    ].join("\n");
    const question = t(
      "Compare {0} models on {1} tasks?",
      comparison.contestants.length,
      validCommits(comparison).length,
    );
    const answer = await vscode.window.showInformationMessage(
      question,
      { modal: true, detail },
      start,
      other,
    );
    if (answer === start) return cap;
    if (answer !== other) return undefined;
    const entered = await vscode.window.showInputBox({
      ...{ title: t("Stop at How Many Tokens?"), value: String(cap), ignoreFocusOut: true },
      validateInput: (text) =>
        /^[1-9]\d{0,11}$/.test(text.trim()) ? undefined : t("A whole number of tokens."),
    });
    if (entered !== undefined) cap = Number(entered.trim());
  }
}

function quoteLine(row: QuoteRow, { words, prices }: Quoted): string {
  const { t } = words;
  const rates = prices.rates(row.model);
  const line = t(
    "{0}: {1} tasks, about {2} tokens",
    contestantName(row, words),
    row.tasks,
    inShort(row.tokens),
  );
  if (rates === undefined) return line;
  const input = Math.max(0, row.tokens - row.output);
  const amount = (input * Math.max(rates.input, rates.write5m) + row.output * rates.output) / 1_000_000;
  return `${line} (≈ ${prices.amount(amount)})`;
}

/** Sets the model that actions use which edit files. */
export async function useForEdits(comparison: Comparison, words: PageWords): Promise<void> {
  const { t } = words;
  const items = scoresOf(comparison).map((score) => ({
    ...{ label: contestantName(score, words), score },
    description: t("{0} of {1} solved", score.solved, score.of),
  }));
  const picked = await vscode.window.showQuickPick(items, { title: t("Use for Edits") });
  if (picked === undefined) return;
  const { model, effort } = picked.score;
  await vscode.workspace
    .getConfiguration("patchbay")
    .update("model.edit", model, vscode.ConfigurationTarget.Global);
  const name = words.nameOfModel(model);
  void showInformation(
    effort === ""
      ? t("{0} is used for edits now.", name)
      : t("{0} is used for edits now. Its effort {1} is set with patchbay.reasoning.effort.", name, effort),
  );
}
