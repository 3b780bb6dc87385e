// "Set Up Checks…": suggests what is found in the folder and lets the user pick. Each check is tried once with a
// planted error: a check that does not report it would always pass.
import * as vscode from "vscode";
import { HumanError, message } from "../../../conversation/messages.ts";
import { localize } from "../../../editor/localize.ts";
import { showInformation, showWarning, withoutLinks } from "../../../editor/notify.ts";
import { addToSetting } from "../../../editor/settings/settings.ts";
import { groupBy } from "../../../util/collections.ts";
import type { Log } from "../../../util/log.ts";
import { type Check, type CheckRow, withAutomatic } from "../../check.ts";
import type { SuggestedCheck } from "../../internal/suggest-checks.ts";
import type { Offer } from "../check-offer.ts";
import type { Checks } from "../checks.ts";
import type { Root } from "./folder-files.ts";

interface Item extends vscode.QuickPickItem {
  readonly row: CheckRow;
  /** The script that its command runs, as it is shown. */
  readonly body: string | undefined;
}

interface SetUpDeps {
  readonly checks: Checks;
  readonly log: Log;
}

export async function setUpChecks({ checks, log }: SetUpDeps): Promise<void> {
  const { obstacle } = checks.host;
  if (obstacle !== undefined) throw new HumanError(localize(obstacle));
  const root = await pickRoot(checks.roots());
  if (root === undefined) return;
  const rows = checks.rows();
  const suggested = await checks.suggest(root);
  const commands = new Set([...rows, ...suggested].map(({ command }) => command));
  const bodies = new Map(
    await Promise.all([...commands].map(async (each) => [each, await checks.bodyOf(root, each)] as const)),
  );
  const items = itemsFor(rows, suggested, bodies, (command) => checks.isAccepted(root, command));
  if (items.length === 0)
    throw new HumanError(
      vscode.l10n.t("No checks were found here. Add a command to the setting patchbay.checks."),
    );
  const { kind } = await checks.host.confinement();
  // In a row of its own: a placeholder is cut off in a narrow box, and disappears when something is typed.
  const consent =
    kind === "sandbox"
      ? vscode.l10n.t("They run on a copy of this folder, in a sandbox")
      : vscode.l10n.t("They run on a copy of this folder, with your rights");
  const picked = await vscode.window.showQuickPick<Item | Separator>(
    [{ label: consent, kind: vscode.QuickPickItemKind.Separator }, ...items],
    {
      title: vscode.l10n.t("Set Up Checks"),
      placeHolder: vscode.l10n.t("Select checks"),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (picked === undefined) return;
  await choose(root, picked.filter(isItem), { items, checks, log });
}

/** Accepts the offered check in addition to those already chosen in that folder. */
export async function setUpOffered(
  { root, check: { from: _, ...row }, body }: Offer,
  { checks, log }: SetUpDeps,
): Promise<void> {
  const item = { label: row.name, row: { ...row, automatic: true }, body };
  await choose(root, [item], { items: [], checks, log });
}

interface Separator extends vscode.QuickPickItem {
  readonly kind: vscode.QuickPickItemKind.Separator;
}

const isItem = (each: Item | Separator): each is Item => "row" in each;

async function choose(
  root: Root,
  picked: readonly Item[],
  { items, checks, log }: SetUpDeps & { readonly items: readonly Item[] },
): Promise<void> {
  const rows = checks.rows();
  const chosen = picked.map(({ row }) => row);
  const missing = chosen.filter(
    (row) => !rows.some(({ name, command }) => name === row.name && command === row.command),
  );
  if (missing.length > 0) await addToSetting("checks", missing);
  await letRunByThemselves(chosen);
  for (const { row } of items)
    if (!chosen.includes(row) && checks.isAccepted(root, row.command)) await checks.revoke(root, row.command);
  const accepted: Check[] = [];
  for (const { row, body } of picked) accepted.push(await checks.accept(root, row, body));
  if (accepted.length > 0) await tryAll(root, accepted, checks, log);
}

/** Makes tests that the user wrote down and chose run automatically, as suggested ones do. */
async function letRunByThemselves(chosen: readonly CheckRow[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration("patchbay");
  const changed = withAutomatic(settings.inspect<unknown>("checks")?.globalValue, chosen);
  if (changed !== undefined) await settings.update("checks", changed, vscode.ConfigurationTarget.Global);
}

async function pickRoot(roots: readonly Root[]): Promise<Root | undefined> {
  if (roots.length < 2) return roots[0];
  const items = roots.map((root) => ({ label: root.folder, description: root.path, root }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Set Up Checks") }))?.root;
}

function itemsFor(
  rows: readonly CheckRow[],
  suggested: readonly SuggestedCheck[],
  bodies: ReadonlyMap<string, string | undefined>,
  isAccepted: (command: string) => boolean,
): Item[] {
  const known = rows.filter(
    ({ command }) => isAccepted(command) || suggested.some((each) => each.command === command),
  );
  const fresh = suggested.filter(({ command }) => !known.some((row) => row.command === command));
  const others = rows.filter((row) => !known.includes(row));
  const isFirst = !rows.some(({ command }) => isAccepted(command));
  const item = ({ from, ...row }: CheckRow & Partial<SuggestedCheck>): Item => {
    const body = bodies.get(row.command);
    return {
      label: row.name,
      description: body === undefined ? row.command : `${row.command}  →  ${body}`,
      detail:
        row.kind === "tests"
          ? vscode.l10n.t("Tests run the proposed code before anybody has read it.")
          : (from ?? vscode.l10n.t("From your settings")),
      picked: isAccepted(row.command) || (isFirst && from !== undefined && row.kind === "static"),
      row: row.kind === "tests" ? { ...row, automatic: true } : row,
      body,
    };
  };
  const same = (row: CheckRow) => suggested.find(({ command }) => command === row.command);
  return [...known.map((row) => item({ ...same(row), ...row })), ...fresh.map(item), ...others.map(item)];
}

/** Sources in which an error is planted. Those named like `likely`, on which most others depend, are preferred. */
const sources = "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,go,rs,c,cc,cpp,java,kt,rb,php,cs,swift}";
const notSources = "**/{node_modules,.venv,venv,vendor,target,dist,build,out,.git}/**";
const likely = /(?:^|\/)(?:index|main|lib|mod|app|__init__)\.\w+$/;
const test = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.|(?:^|\/)test_/;

interface Package {
  /** Path relative to the folder; "" for the folder itself. */
  readonly name: string;
  readonly files: readonly string[];
}

async function packagesIn({ path }: Root): Promise<readonly Package[]> {
  const base = vscode.Uri.file(path);
  const find = async (pattern: string, most: number) =>
    (await vscode.workspace.findFiles(new vscode.RelativePattern(base, pattern), notSources, most)).map(
      (uri) => uri.path.slice(base.path.replace(/\/$/, "").length + 1),
    );
  const manifests = await find("**/{package.json,pyproject.toml,Cargo.toml,go.mod}", 100);
  const folders = new Set(manifests.map((each) => each.slice(0, Math.max(0, each.lastIndexOf("/")))));
  folders.add("");
  const files = await find(sources, 5000);
  const own = (file: string) =>
    [...folders]
      .filter((name) => name === "" || file.startsWith(`${name}/`))
      .sort((one, other) => other.length - one.length)[0];
  return [...folders].flatMap((name) => {
    const inIt = files.filter((file) => own(file) === name && !/\.(?:config|d)\.\w+$/.test(file));
    return inIt.length === 0 ? [] : [{ name, files: inIt }];
  });
}

/** A syntax error in every language. */
const planted = "\n)]} patchbay planted this error {[(\n";

/**
 * Static checks may cover only some folders of a package, so one file per folder is chosen. Tests need not load any
 * particular file, so all are.
 */
function chosenFrom(files: readonly string[], { kind }: CheckRow): readonly string[] {
  if (kind === "tests") return files.slice(0, maxPlanted);
  const best = (all: readonly string[]) =>
    all.find((file) => likely.test(file)) ?? all.find((file) => !test.test(file)) ?? all[0];
  const groups = groupBy(files, (file) => `${file.slice(0, file.lastIndexOf("/") + 1)} ${endingOf(file)}`);
  return [...groups.values()].flatMap((group) => best(group) ?? []).slice(0, maxPlanted);
}

/** Errors per package: enough to be noticed, and few enough to be read. */
const maxPlanted = 50;

const endingOf = (file: string): string => file.slice(file.lastIndexOf(".") + 1).replace(/^[cm]/, "");

async function tryAll(root: Root, accepted: readonly Check[], checks: Checks, log: Log): Promise<void> {
  const title = vscode.l10n.t("Trying checks");
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(title),
    cancellable: true,
  };
  const sentences = await vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
    const packages = await packagesIn(root);
    const sentences: Tried[] = [];
    for (const check of accepted) {
      progress.report({ message: check.name });
      sentences.push(
        await tryOne(root, check, packages, checks, stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) log.error("A check could not be tried.", error);
          return { isWell: false, said: vscode.l10n.t("{0}: not tried", check.name) };
        }),
      );
    }
    return sentences;
  });
  const text = vscode.l10n.t("Checks are set up. {0}", sentences.map(({ said }) => said).join(" · "));
  if (sentences.every(({ isWell }) => isWell)) void showInformation(text);
  else void showWarning(text);
}

/**
 * Files next to the packages of a folder are usually nobody's source: they count only if no error is reported elsewhere
 * either.
 */
function unseenOf(packages: readonly Package[], isSeen: (each: Package) => boolean): readonly string[] {
  const unseen = packages.filter((each) => !isSeen(each)).map(({ name }) => name);
  return unseen.length === packages.length ? unseen : unseen.filter((name) => name !== "");
}

/** Whether a check sees an error that is planted in its files, in a sentence for people. */
interface Tried {
  readonly isWell: boolean;
  readonly said: string;
}

async function tryOne(
  root: Root,
  check: Check,
  packages: readonly Package[],
  checks: Checks,
  signal: AbortSignal,
): Promise<Tried> {
  const bad = (said: string): Tried => ({ isWell: false, said });
  const changed = () => bad(`${check.name}: ${localize(message("checkBodyChanged"))}`);
  if (check.isChanged) return changed();
  const wanted = packages.map(({ name, files }) => ({ name, files: chosenFrom(files, check) }));
  const base = vscode.Uri.file(root.path);
  const texts: (readonly [
    { folder: string; path: string },
    { file: { folder: string; path: string }; text: string },
  ])[] = [];
  for (const path of wanted.flatMap(({ files }) => files)) {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(base, path));
    const file = { folder: root.folder, path };
    texts.push([file, { file, text: Buffer.from(bytes).toString("utf8") + planted }]);
  }
  const seen = await checks.host.withCopy(
    root.folder,
    texts,
    async (copy) => {
      // The copy has the current script, which may differ from the one that was accepted.
      if ((await checks.bodyOf(root, check.command)) !== check.body) return undefined;
      const confined = { ...check, isConfined: (await checks.host.confinement()).kind === "sandbox" };
      const run = await copy.run(confined, signal);
      const baseline = await copy.baseline(confined, signal);
      const verdict = await checks.host.judge({ run, baseline });
      if (verdict === undefined || "why" in verdict) return { blind: [], why: verdict?.why };
      // A linter that only warns of the error has also looked at the file.
      const failed = "findings" in verdict;
      const [only, ...others] = wanted;
      const isSeen = ({ files }: Package) =>
        failed && (others.length === 0 || files.some((file) => run.output.includes(file)));
      if (check.kind === "tests")
        return { blind: failed || only === undefined ? [] : wanted.map(({ name }) => name), why: undefined };
      return { blind: unseenOf(wanted, isSeen), why: undefined };
    },
    signal,
  );
  if (seen === undefined) return changed();
  const { blind, why } = seen;
  if ((await checks.accept(root, check, check.body, blind)).isChanged) return changed();
  if (why !== undefined) return bad(`${check.name}: ${localize(why)}`);
  // A check mark would be taken for what the check says of the code.
  if (blind.length === 0) return { isWell: true, said: vscode.l10n.t("{0}: works", check.name) };
  if (blind.length === wanted.length) return bad(vscode.l10n.t("{0} does not see proposals", check.name));
  const names = blind.map((name) => name || root.folder).join(", ");
  return bad(vscode.l10n.t("{0} does not see proposals in {1}", check.name, names));
}
