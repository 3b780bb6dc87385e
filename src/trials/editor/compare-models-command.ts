// "Compare Models on This Repository…": what is compared, what it may cost, its progress, and its page. It can be stopped at
// any time and goes on later, in this window or another one.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Checks } from "../../checks/editor/checks.ts";
import { HumanError } from "../../conversation/messages.ts";
import { requireTrust } from "../../editor/actions/ask.ts";
import { localize } from "../../editor/localize.ts";
import { commands } from "../../editor/manifest.ts";
import { showInformation } from "../../editor/notify.ts";
import type { Settings } from "../../editor/settings/settings.ts";
import { saveAs } from "../../editor/ui/documents.ts";
import { withProgress } from "../../editor/ui/show-problem.ts";
import type { Service } from "../../host/services.ts";
import { nodeFileSystem } from "../../store/file-system.ts";
import { present } from "../../util/present.ts";
import { raceAbort } from "../../util/timeouts.ts";
import { type AttemptDeps, attempt, firstRequest } from "../internal/attempt.ts";
import { type CompareDeps, isRepository, ModelComparison } from "../internal/compare-models.ts";
import {
  type Comparison,
  ComparisonStop,
  type Contestant,
  fewestCommits,
  runsLeft,
  spentTokens,
  validCommits,
} from "../internal/comparison.ts";
import { comparisonPage, contestantName, type PageWords } from "../internal/comparison-page.ts";
import { keptComparisons } from "../internal/kept-comparisons.ts";
import {
  agreeToRun,
  chooseKept,
  chooseNew,
  confirmQuote,
  useForEdits,
} from "./internal/comparison-dialogs.ts";

interface CompareModelsDeps {
  readonly checks: Checks;
  readonly service: Pick<
    Service,
    "registry" | "counts" | "prices" | "price" | "pricing" | "noteUsage" | "client"
  >;
  readonly settings: Pick<Settings, "conversation" | "defaultModel">;
  /** The extension's own storage folder. */
  readonly storage: string;
  report(error: unknown): void;
}

type Root = ReturnType<Checks["roots"]>[number];

export function createCompareModels(deps: CompareModelsDeps) {
  const t = vscode.l10n.t;
  const { checks, service, settings } = deps;
  const kept = keptComparisons(nodeFileSystem, deps.storage);
  const closing = new AbortController();
  let running: Promise<unknown> | undefined;
  const models = () => settings.conversation().models;
  const words: PageWords = {
    t,
    language: vscode.env.language,
    nameOfModel: (id) => models().find((each) => each.id === id)?.label ?? id,
  };
  const attempts: AttemptDeps = {
    context: () => service.registry.sideContext,
    name: t("Comparison of models"),
    take: (event) => service.noteUsage("comparison", event),
  };

  function costOf({ model }: Contestant, usage: Parameters<CompareDeps["cost"]>[1]) {
    const rows = usage.map((row, at) => ({
      ...{ model, ...row, at: row.at ?? 0, conversation: "", turn: "", request: at + 1 },
    }));
    const price = service.price(rows);
    const read = service.pricing();
    const currency = "pricing" in read ? read.pricing?.currency : undefined;
    if (price === undefined || currency === undefined) return undefined;
    return { amount: price.amount, unpriced: price.unpriced, currency };
  }

  function open(comparison: Comparison, root: Root, git: string): ModelComparison {
    return new ModelComparison(comparison, {
      ...{ git, folder: root.folder, path: root.path },
      withCopy: (overlaid, use, signal) => checks.withCopyOf(root, overlaid, use, signal),
      resolveCommand: (command, read, packages) => checks.resolve(command, { read, packages }),
      isPrivate: (path) => checks.isPrivate(root, path),
      unsaved: () => checks.unsaved(root),
      ignoreRules: () => checks.ignoreRules(root),
      attempt: (task, signal) => attempt(task, attempts, signal),
      cost: costOf,
      ...{ hold: kept.hold, release: kept.release, keep: kept.keep },
      now: () => Date.now(),
    });
  }

  async function begin(root: Root): Promise<Comparison | undefined> {
    const own = await checks.host.checks([]);
    const accepted = own.filter(({ folder, kind }) => folder === root.folder && kind === "tests");
    const suggested = (await checks.suggest(root)).filter(({ kind }) => kind === "tests");
    const testCommands = [...new Set([...accepted, ...suggested].map(({ command }) => command))];
    if (testCommands.length === 0)
      throw new HumanError(
        t("No test command was found here. Add one of kind tests to the setting patchbay.checks."),
      );
    const chosen = await chooseNew({
      ...{ testCommands, models: models(), current: settings.defaultModel() },
      words,
    });
    if (chosen === undefined) return undefined;
    const timeoutSeconds = accepted.find(({ command }) => command === chosen.command)?.timeoutSeconds;
    const unfit = { "no-parent": 0, "no-tests": 0, "no-sources": 0, "too-large": 0, "no-task": 0 };
    return {
      ...{ ...chosen, id: randomUUID(), folder: root.folder, path: root.path, at: Date.now(), head: "" },
      ...{
        isConfined: false,
        ranUnconfined: false,
        looked: 0,
        unfit: { ...unfit, "not-text": 0 },
        candidates: 0,
        tried: [],
      },
      ...{ isSearched: false, runs: [], touched: [], touchedPrivate: 0, stoppedTokens: 0 },
      ...present({ timeoutSeconds }),
    };
  }

  /** Resolves with `undefined` if the person did not agree to something. */
  async function goOn(known: Comparison, root: Root): Promise<Comparison | undefined> {
    const git = await checks.git();
    if (git === undefined) throw new HumanError(t("Git isn't installed, or VS Code hasn't found it."));
    if (!(await isRepository(git, root.path))) throw new HumanError(t("No Git repository is open."));
    const confinement = await checks.host.confinement();
    const isConfined = confinement.kind === "sandbox";
    if (!isConfined) {
      const body = await checks.bodyOf(root, known.command);
      const size = await checks.host.measure(root.folder, closing.signal).catch(() => undefined);
      const agreed = agreeToRun({ command: known.command, body, size }, confinement, words);
      if (!(await raceAbort(agreed, closing.signal))) return undefined;
    }
    const comparison = open({ ...known, isConfined }, root, git);
    try {
      const found = await withProgress(t("Looking for commits with tests"), async (signal, tell) => {
        comparison.onStep((now) => {
          const valid = validCommits(now).length;
          tell(t("{0} of {1} found, {2} tried", valid, now.wanted, now.tried.length), valid / now.wanted);
        });
        return comparison.findCommits(AbortSignal.any([signal, closing.signal]));
      });
      if (validCommits(found).length < fewestCommits || runsLeft(found).length === 0) return found;
      if (!(await agreeToCost(comparison))) return found;
      return await withProgress(t("Comparing models"), async (signal, tell) => {
        const all = runsLeft(comparison.comparison).length + comparison.comparison.runs.length;
        const show = (now: Comparison) => {
          const [next] = runsLeft(now);
          const name = next === undefined ? "" : contestantName(next, words);
          tell(t("{0} of {1} tasks, now {2}", now.runs.length, all, name), now.runs.length / all);
        };
        show(comparison.comparison);
        comparison.onStep(show);
        return comparison.run(AbortSignal.any([signal, closing.signal]));
      });
    } catch (error) {
      const isCancelled = error instanceof Error && error.name === "AbortError";
      if (isCancelled || error instanceof vscode.CancellationError) return comparison.comparison;
      throw error instanceof ComparisonStop ? new HumanError(whyStopped(error, t)) : error;
    } finally {
      await comparison.close();
    }
  }

  async function agreeToCost(comparison: ModelComparison): Promise<boolean> {
    const { signal } = closing;
    const example = await comparison.example(signal);
    if (example === undefined) return false;
    const now = comparison.comparison;
    const openings = new Map<Contestant, number>();
    for (const contestant of now.contestants) {
      const task = { ...contestant, ...example, tokens: 0 };
      const request = await firstRequest(task, attempts, signal);
      openings.set(contestant, service.counts.aboutRequest(request).tokens);
    }
    const routes = new Map(models().map(({ id, route }) => [id, route]));
    const quoted = {
      ...{ comparison: now, sizes: await comparison.tasks(signal), words, prices: service.prices },
      opening: (contestant: Contestant) => openings.get(contestant) ?? 0,
      isCached: (model: string) => routes.get(model) === "responses",
    };
    const cap = await raceAbort(confirmQuote(quoted), signal);
    if (cap === undefined) return false;
    await comparison.agreeTo(spentTokens(now) + cap);
    return true;
  }

  async function show(comparison: Comparison): Promise<void> {
    const page = await kept.writePage(comparison, comparisonPage(comparison, words));
    await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.file(page));
    const [use, save] = [t("Use for Edits…"), t("Save Page…")];
    const left = runsLeft(comparison).length;
    const isUsable = comparison.runs.length > 0;
    const sentence =
      left > 0 && comparison.isSearched
        ? t("{0} tasks are left. Compare again to go on.", left)
        : t("The comparison is on its page, with how it was measured.");
    const picked = await showInformation(sentence, ...(isUsable ? [use, save] : [save]));
    if (picked === use) await useForEdits(comparison, words);
    if (picked === save)
      await saveAs("model-comparison.md", Buffer.from(comparisonPage(comparison, words, true)));
  }

  async function compare(): Promise<void> {
    requireTrust();
    const { obstacle } = checks.host;
    if (obstacle !== undefined) throw new HumanError(localize(obstacle));
    if (running !== undefined) throw new HumanError(t("Models are being compared already."));
    const root = await pickRoot(checks.roots());
    if (root === undefined) return;
    const choice = await chooseKept(await kept.of(root.path), words);
    if (choice === undefined) return;
    if (choice.kind === "show") return void show(choice.comparison).catch(deps.report);
    const comparison = choice.kind === "new" ? await begin(root) : choice.comparison;
    if (comparison === undefined) return;
    const going = goOn(comparison, root);
    running = going.catch(() => {});
    const done = await going.finally(() => {
      running = undefined;
    });
    // The notification waits for a click, and another comparison does not wait for that.
    if (done !== undefined && !closing.signal.aborted) void show(done).catch(deps.report);
  }

  return {
    commands: { [commands.compareModels]: compare },
    /** Resolves once nothing of a comparison runs or is written any more. */
    async dispose() {
      closing.abort();
      await running;
    },
  };
}

function whyStopped({ reason }: ComparisonStop, t: typeof vscode.l10n.t): string {
  switch (reason) {
    case "moving":
      return t("Files of the folder changed each time tests ran. Compare again once they stay the same.");
    case "elsewhere":
      return t("Another window goes on with this comparison, or has since you chose it.");
    case "partial":
      return t(
        "This is a partial clone, and a comparison fetches nothing. Fetch what is missing with Git, then compare again.",
      );
  }
}

async function pickRoot(roots: readonly Root[]): Promise<Root | undefined> {
  if (roots.length < 2) return roots[0];
  const items = roots.map((root) => ({ label: root.folder, description: root.path, root }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Compare Models") }))?.root;
}
