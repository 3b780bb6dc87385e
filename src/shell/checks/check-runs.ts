// What a person does with checks: sets them up, runs them again, reads what they have written. A check that would run what is
// proposed runs only after a click that names it.
import * as vscode from "vscode";
import type { CheckResult } from "../../core/conversation/check-result.ts";
import type { Session } from "../../core/session/session.ts";
import type { Log } from "../../core/util/log.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { type CheckNode, clicked, isToRun } from "../review/check-rows.ts";
import { withoutLinks } from "../without-links.ts";
import type { Checks } from "./checks.ts";
import { setUpChecks } from "./set-up.ts";

export interface CheckRunDeps {
  readonly checks: Checks;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
  session(): Session;
  /** Of a row in Pending Changes. */
  checkAt(argument: unknown): CheckNode | undefined;
}

export function createCheckRuns({ checks, documents, log, session, checkAt }: CheckRunDeps) {
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

  /** True once a person has agreed to what it waits for. */
  async function agree({ name, why }: CheckResult): Promise<boolean> {
    const go = vscode.l10n.t("Run");
    const detail = [
      ...(why === undefined ? [] : [inReaderLanguage(why)]),
      vscode.l10n.t("It runs on a copy of the workspace, with your rights."),
    ].join("\n");
    const question = vscode.l10n.t("Run {0} with the proposed files?", name);
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go;
  }

  async function act(of: Session, id: string, action: "open" | "run"): Promise<void> {
    const result = of.patches.checks?.results.find((each) => each.id === id);
    if (result === undefined) return;
    if (action === "open") {
      const output = of.patches.checks?.outputOf(id) ?? "";
      const why = result.why === undefined ? "" : `${inReaderLanguage(result.why)}\n\n`;
      await documents.show(result.name, "txt", `${why}${output}`);
      return;
    }
    if (result.why?.code === "checkBodyChanged") return setUpChecks({ checks, log });
    const state = of.patches.checks?.state;
    const waits = result.state === "waiting";
    if (waits && !(await agree(result))) return;
    await run(of, [id], waits ? state : undefined);
  }

  return {
    act,
    commands: {
      [commands.setUpChecks]: () => setUpChecks({ checks, log }),
      async [commands.runChecks](argument?: unknown, how?: unknown) {
        const row = checkAt(argument);
        if (row === undefined) return run(session(), "all");
        const action = how === clicked && !isToRun(row.result) ? "open" : "run";
        return act(row.session, row.result.id, action);
      },
    },
  };
}
