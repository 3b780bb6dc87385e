// Rows of the Pending Changes view about the changes that break a check: each action is a row of its own, so that the
// keyboard reaches it as any other row.
import * as vscode from "vscode";
import type { BreakingAction } from "../../../bridge/protocol.ts";
import { message } from "../../../conversation/messages.ts";
import type { Session } from "../../../session/session.ts";
import { localize } from "../../localize.ts";
import { commands } from "../../manifest.ts";
import { clicked } from "../check-rows.ts";
import type { ReviewSet } from "./review-targets.ts";

export interface BreakingNode {
  readonly kind: "breaking";
  readonly set: ReviewSet;
  readonly session: Session;
  /** Absent: what was found, or why nothing was. */
  readonly action?: BreakingAction;
  /** The state that the row shows. */
  readonly shown: number;
}

export function breakingBelow(set: ReviewSet): readonly BreakingNode[] {
  const { session } = set;
  const breaking = session?.patches.breaking;
  if (session === undefined || breaking === undefined) return [];
  const { state, canFind, version: shown } = breaking;
  const row = (action?: BreakingAction): BreakingNode => ({
    kind: "breaking",
    set,
    session,
    shown,
    ...(action !== undefined && { action }),
  });
  if (state?.kind === "running") return [row("stop")];
  if (state?.kind !== "found")
    return [...(state === undefined ? [] : [row()]), ...(canFind ? [row("find")] : [])];
  return [row(), ...(state.passing === undefined ? [] : [row("accept")]), row("send-back")];
}

/** Stable name of a row. */
export const nameOfBreaking = ({ session, action }: BreakingNode): string =>
  `breaking ${session.id} ${action ?? "said"}`;

const icons: Readonly<Record<BreakingAction, string>> = {
  find: "search",
  stop: "loading~spin",
  accept: "check",
  "send-back": "reply",
};

export function breakingItem(node: BreakingNode): vscode.TreeItem {
  const { action, session } = node;
  const { state } = session.patches.breaking ?? {};
  const said = state === undefined ? "" : localize(state.said);
  const found = state?.kind === "found" ? state : undefined;
  const labels: Readonly<Record<BreakingAction | "said", string>> = {
    find: localize(message("breakingFind")),
    stop: said,
    accept: vscode.l10n.t("Accept {0} That Pass", found?.passing?.length ?? 0),
    "send-back": vscode.l10n.t("Send {0} Back", found?.rest.length ?? 0),
    said,
  };
  const item = new vscode.TreeItem(labels[action ?? "said"]);
  item.id = nameOfBreaking(node);
  if (action === "stop") item.description = vscode.l10n.t("click to cancel");
  item.iconPath =
    action === undefined
      ? new vscode.ThemeIcon(
          found === undefined ? "info" : "error",
          found && new vscode.ThemeColor("testing.iconFailed"),
        )
      : new vscode.ThemeIcon(icons[action]);
  item.contextValue = "breaking";
  if (action !== undefined)
    item.command = { command: commands.runChecks, title: "", arguments: [node, clicked] };
  return item;
}
