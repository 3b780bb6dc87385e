// Runs checks at the user's request: the commands, and the question before proposed code runs with the user's rights.
import * as vscode from "vscode";
import { localize } from "../../editor/localize.ts";
import { commands } from "../../editor/manifest.ts";
import { withoutLinks } from "../../editor/notify.ts";
import { type CheckNode, clicked, isToRun } from "../../editor/review/check-rows.ts";
import type { ReadOnlyDocuments } from "../../editor/ui/documents.ts";
import type { Session } from "../../session/session.ts";
import type { Log } from "../../util/log.ts";
import type { Check, CheckHost } from "../check.ts";
import type { RunQuestion } from "../session-checks.ts";
import type { CheckOffer } from "./check-offer.ts";
import type { Checks } from "./checks.ts";
import { setUpChecks, setUpOffered } from "./internal/set-up-checks.ts";

type RunAnswer = "run" | "always" | "show" | undefined;

/** Limit of a dialog; the changes themselves show more. */
const maxFiles = 60;

/** Rough speed of copying on one disk, with or without cloning. */
const filesASecond = 4000;
const bytesASecond = 150 * 1024 ** 2;

/**
 * Asks the user before proposed code runs with their rights: what would run, and where. Without a sandbox nothing else
 * protects this computer from a proposal, so the list is complete and begins with the riskiest.
 */
export async function askToRun(
  { check, files, confinement }: RunQuestion,
  { measure }: Pick<CheckHost, "measure">,
): Promise<RunAnswer> {
  const run = vscode.l10n.t("Run");
  const always = vscode.l10n.t("Always for This Command in This Folder");
  const show = vscode.l10n.t("Show Changes");
  const copy = vscode.l10n.t("Copy Sandbox Command");
  const remedy = confinement.kind === "none" ? confinement.remedy : undefined;
  const detail = [
    ...commandsOf(check),
    "",
    vscode.l10n.t("Files of this proposal, those that run first:"),
    ...files.slice(0, maxFiles),
    ...(files.length > maxFiles ? [vscode.l10n.t("and {0} more", files.length - maxFiles)] : []),
    "",
    vscode.l10n.t("The check works on a copy, but its programs have your rights."),
    ...(await copyingOf(check, measure)),
    ...(confinement.kind === "none" ? [localize(confinement.why)] : []),
    ...(remedy === undefined ? [] : [vscode.l10n.t("To get one: {0}", remedy)]),
  ].join("\n");
  const question = titleOf(files);
  const buttons = [run, always, show, ...(remedy === undefined ? [] : [copy])];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer === copy && remedy !== undefined) await vscode.env.clipboard.writeText(remedy);
  if (answer === run) return "run";
  if (answer === always) return "always";
  return answer === show ? "show" : undefined;
}

function titleOf(files: readonly string[]): string {
  const shown = files.slice(0, 2).join(", ");
  const more = files.length - 2;
  return more > 0
    ? vscode.l10n.t("Runs code of this proposal on this computer: {0} and {1} more", shown, more)
    : vscode.l10n.t("Runs code of this proposal on this computer: {0}", shown);
}

/** The command, and the script texts it runs, current and proposed. */
function commandsOf({ command, body, proposedBody }: Check): readonly string[] {
  const whole = proposedBody ?? body ?? "";
  const lines = [command, ...(whole === "" ? [] : whole.split("  →  ").map((each) => `→ ${each}`))];
  return proposedBody === undefined
    ? lines
    : [...lines, vscode.l10n.t("The proposal changes what this command runs.")];
}

async function copyingOf({ folder }: Check, measure: CheckHost["measure"]): Promise<readonly string[]> {
  const size = await measure(folder, new AbortController().signal).catch(() => undefined);
  if (size === undefined) return [];
  const megabytes = Math.ceil(size.bytes / 1024 ** 2);
  const seconds = Math.ceil(size.files / filesASecond + size.bytes / bytesASecond);
  return [
    vscode.l10n.t(
      "First, {0} files of dependencies are copied: up to {1} MB, about {2} s.",
      ...[size.files, megabytes, seconds].map((each) => each.toLocaleString(vscode.env.language)),
    ),
  ];
}

/** A row that stands for an action of its own. */
interface ActionRow {
  act(): Promise<void>;
}

interface CheckRunDeps {
  readonly checks: Checks;
  readonly offer: Pick<CheckOffer, "take">;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
  session(): Session;
  /** The check of a row in Pending Changes. */
  checkAt(argument: unknown): CheckNode | undefined;
  /** A row below the checks that does something else. */
  rowAt(argument: unknown): ActionRow | undefined;
}

/**
 * Commands about checks: set up, run again, show output. A check that would run proposed code runs only after a click
 * that names it.
 */
export function createCheckRuns({ checks, offer, documents, log, session, checkAt, rowAt }: CheckRunDeps) {
  async function run(of: Session, which: "all" | readonly string[], agreedTo?: string): Promise<void> {
    const own = of.patches.checks;
    if (own === undefined) return;
    const title = vscode.l10n.t("Running checks");
    const options = {
      location: vscode.ProgressLocation.Window,
      title: withoutLinks(title),
      cancellable: true,
    };
    await vscode.window.withProgress(options, async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      await own.run(stop.signal, { which, agreedTo });
    });
  }

  async function act(of: Session, id: string, action: "open" | "run"): Promise<void> {
    const result = of.patches.checks?.results.find((each) => each.id === id);
    if (result === undefined) return;
    if (action === "open") {
      const output = of.patches.checks?.outputOf(id) ?? "";
      const why = result.why === undefined ? "" : `${localize(result.why)}\n\n`;
      await documents.show(result.name, "txt", `${why}${output}`);
      return;
    }
    if (result.why?.code === "checkBodyChanged") return setUpChecks({ checks, log });
    const state = of.patches.checks?.state;
    if (result.state !== "waiting") return run(of, [id]);
    const question = await of.patches.checks?.question(id);
    if (question === undefined) return;
    const answer = await askToRun(question, checks.host);
    if (answer === "show") await vscode.commands.executeCommand(commands.openReview);
    if (answer === "always") await checks.host.allowAlways(question.check);
    if (answer === "run" || answer === "always") await run(of, [id], state);
  }

  async function takeOffer(): Promise<void> {
    const offered = offer.take();
    if (offered !== undefined) await setUpOffered(offered, { checks, log });
  }

  return {
    act,
    takeOffer,
    commands: {
      [commands.setUpChecks]: () => setUpChecks({ checks, log }),
      async [commands.runChecks](argument?: unknown, how?: unknown) {
        const other = rowAt(argument);
        if (other !== undefined) return other.act();
        const row = checkAt(argument);
        if (row === undefined) return run(session(), "all");
        const action = how === clicked && !isToRun(row.result) ? "open" : "run";
        return act(row.session, row.result.id, action);
      },
    },
  };
}
