// What the person's checks say of a set, as rows of the Pending Changes view: a click shows what a check has written, or runs
// one that has nothing to say about what is proposed now.
import * as vscode from "vscode";
import { resultInShort } from "../../core/checks/report.ts";
import type { CheckResult } from "../../core/conversation/check-result.ts";
import type { Session } from "../../core/session/session.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import type { ReviewSet } from "./review-model.ts";

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

/** The same for the same row, whenever it is asked for. */
export const nameOfCheck = ({ session, result }: CheckNode): string => `check ${session.id} ${result.id}`;

/** It has to run before there is anything to show. */
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
  const said = inReaderLanguage(resultInShort(result));
  const isStale = result.state === "stale";
  // What is out of date is grey, as descriptions are.
  const item = new vscode.TreeItem(isStale ? result.name : said);
  if (isStale) item.description = vscode.l10n.t("out of date – click to run again");
  item.id = nameOfCheck(node);
  const [icon, colour] = icons[result.state];
  item.iconPath = new vscode.ThemeIcon(
    icon,
    colour === undefined ? undefined : new vscode.ThemeColor(colour),
  );
  const why = result.why === undefined ? [] : [inReaderLanguage(result.why)];
  item.tooltip = [said, ...why, ...result.findings.slice(0, maxShown).map(lineOf)].join("\n");
  item.accessibilityInformation = { label: [said, ...why].join(", ") };
  item.contextValue = "check";
  item.command = { command: commands.runChecks, title: "", arguments: [node, clicked] };
  return item;
}

/** What a row says beside itself when it is clicked: a menu of it says something else. */
export const clicked = "clicked";

const maxShown = 20;

const lineOf = ({ path, line, text }: CheckResult["findings"][number]): string =>
  path === undefined ? text : `${path}:${line ?? 1} ${text}`;
