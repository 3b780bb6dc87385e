// What a question would send with everything around it, counted by the service when a person asks for that: words, and
// what no count holds (requirements I4).
import * as vscode from "vscode";
import type { LeftOut } from "../../core/api/estimate.ts";
import type { Session } from "../../core/session/session.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { inDigits } from "../format-numbers.ts";
import { showInformation } from "../notify.ts";
import { showProblem } from "../show-problem.ts";
import { withProgress } from "../with-progress.ts";

export interface CountWholeDeps {
  session(): Pick<Session, "choices" | "preview">;
  readonly counts: Pick<TokenCounts, "ofRequest">;
}

export async function countWhole({ session, counts }: CountWholeDeps): Promise<void> {
  const t = vscode.l10n.t;
  const { model } = session().choices;
  const { count, leftOut } = await withProgress(t("Counting tokens…"), async (signal) =>
    counts.ofRequest(await session().preview(undefined, signal), signal),
  );
  if ("problem" in count) {
    void showProblem(count.problem);
    return;
  }
  const tokens = inDigits(count.tokens, vscode.env.language);
  const all = t("Next request: {0} tokens, counted by {1}.", tokens, model);
  const without = leftOut.map(nameOf).join(", ");
  const sentence = without === "" ? all : `${all} ${t("Not counted: {0}.", without)}`;
  void showInformation(sentence);
}

function nameOf(leftOut: LeftOut): string {
  const t = vscode.l10n.t;
  switch (leftOut) {
    case "tools":
      return t("the tools");
    case "reasoning":
      return t("reasoning");
    case "search":
      return t("web searches");
    case "other":
      return t("items of other kinds");
    default:
      return leftOut satisfies never;
  }
}
