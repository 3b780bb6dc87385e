// What a person does about the changes that break a check: looks for them, accepts the others, sends them back. Before
// anything runs, they are asked what they would be asked before the checks themselves.
import * as vscode from "vscode";
import type { BreakingAction } from "../../bridge/protocol.ts";
import type { CheckHost } from "../../checks/check.ts";
import { askToRun } from "../../checks/editor/check-runs.ts";
import { commands } from "../../editor/manifest.ts";
import type { Session } from "../../session/session.ts";

interface BreakingActionDeps {
  readonly host: Pick<CheckHost, "allowAlways" | "measure">;
  /** Accepts exactly these; false if the user was asked and declined. @throws HumanError why nothing was written. */
  accept(session: Session, hunks: readonly string[]): Promise<boolean>;
}

export function createBreakingActions({ host, accept }: BreakingActionDeps) {
  /** The user's agreement for the search; undefined if they decline. */
  async function agree({ patches: { checks, breaking } }: Session): Promise<{ to?: string } | undefined> {
    if (checks === undefined || breaking === undefined) return undefined;
    const { state } = checks;
    let isAgreed = false;
    for (const question of await checks.questions(breaking.checks)) {
      const answer = await askToRun(question, host);
      if (answer === "show") await vscode.commands.executeCommand(commands.openReview);
      if (answer === "always") await host.allowAlways(question.check);
      else if (answer === "run") isAgreed = true;
      else return undefined;
    }
    return isAgreed && state !== undefined ? { to: state } : {};
  }

  /** `shown`: what the user saw; if it is another state by now, nothing is done. */
  return async (session: Session, action: BreakingAction, shown?: number): Promise<void> => {
    const { breaking } = session.patches;
    if (breaking === undefined) return;
    if (action === "stop") return breaking.stop();
    if (shown !== undefined && shown !== breaking.version) return;
    if (action === "accept") return breaking.accept((hunks) => accept(session, hunks));
    if (action === "send-back") {
      await session.sendBreaking();
      return;
    }
    const agreed = await agree(session);
    if (agreed !== undefined) await breaking.find(agreed.to);
  };
}
