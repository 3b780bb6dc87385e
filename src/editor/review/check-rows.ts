// Rows of the Pending Changes view for the checks of a set: a click shows the output of a check, or runs it if it has
// no current result.
import * as vscode from "vscode";
import type { CheckResult } from "../../checks/check-result.ts";
import { summarizeResult } from "../../checks/report.ts";
import type { Session } from "../../session/session.ts";
import { localize } from "../localize.ts";
import { commands } from "../manifest.ts";
import type { ReviewSet } from "./internal/review-targets.ts";

export interface CheckNode {
  readonly kind: "check";
  readonly set: ReviewSet;
  readonly session: Session;
  readonly result: CheckResult;
}

export const checksBelow = (set: ReviewSet): readonly CheckNode[] => {
  const { session } = set;
  const results = session?.patches.checks?.results ?? [];
  return session === undefined ? [] : results.map((result) => ({ kind: "check", set, session, result }));
};

/** Stable name of a row. */
export const nameOfCheck = ({ session, result }: CheckNode): string => `check ${session.id} ${result.id}`;

/** It has to run before it has output to show. */
export const isToRun = ({ state }: CheckResult): boolean => state === "stale" || state === "waiting";

const icons: Readonly<Record<CheckResult["state"], readonly [icon: string, colour?: string]>> = {
  running: ["loading~spin"],
  passed: ["pass", "testing.iconPassed"],
  "no-new": ["pass", "disabledForeground"],
  "new-findings": ["error", "testing.iconFailed"],
  "could-not-compare": ["question"],
  stale: ["history", "disabledForeground"],
  waiting: ["play-circle"],
  unavailable: ["circle-slash", "disabledForeground"],
};

export function checkItem(node: CheckNode): vscode.TreeItem {
  const { result } = node;
  const said = localize(summarizeResult(result));
  const isStale = result.state === "stale";
  // Stale results are shown in grey, as descriptions are.
  const item = new vscode.TreeItem(isStale ? result.name : said);
  if (isStale) item.description = vscode.l10n.t("out of date – click to run again");
  item.id = nameOfCheck(node);
  const [icon, colour] = icons[result.state];
  item.iconPath = new vscode.ThemeIcon(
    icon,
    colour === undefined ? undefined : new vscode.ThemeColor(colour),
  );
  const why = result.why === undefined ? [] : [localize(result.why)];
  if (!isStale) item.description = why.join(" ");
  item.tooltip = [said, ...why, ...result.findings.slice(0, maxShown).map(lineOf)].join("\n");
  item.accessibilityInformation = { label: [said, ...why].join(", ") };
  item.contextValue = "check";
  item.command = { command: commands.runChecks, title: "", arguments: [node, clicked] };
  return item;
}

/** Argument that a click on a row passes, unlike its menu. */
export const clicked = "clicked";

const maxShown = 20;

const lineOf = ({ path, line, text }: CheckResult["findings"][number]): string =>
  path === undefined ? text : `${path}:${line ?? 1} ${text}`;
