// The one status-bar item. Its text is numbers and words of our own, never of the service.
import * as vscode from "vscode";
import { asking } from "../core/conversation/asking.ts";
import type { Problem } from "../core/conversation/problem.ts";
import type { Conversation, Turn } from "../core/conversation/state.ts";
import { commands } from "./manifest.ts";

export interface StatusBar extends vscode.Disposable {
  show(state: StatusState): void;
}

export interface StatusState {
  readonly problem: Problem | undefined;
  readonly conversation: Conversation | undefined;
  /** Changes that wait for a review. */
  readonly waiting: number;
}

export function createStatusBar(focusChat: string): StatusBar {
  const item = vscode.window.createStatusBarItem("patchbay.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Patchbay";
  item.show();

  return {
    dispose: () => item.dispose(),
    show(state) {
      const { text, label, command, background } = describe(state, focusChat);
      item.text = text;
      item.tooltip = label;
      item.accessibilityInformation = { label: `Patchbay: ${label}` };
      item.command = command;
      item.backgroundColor =
        background === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${background}Background`);
    },
  };
}

interface Face {
  readonly text: string;
  readonly label: string;
  readonly command: string;
  readonly background?: "warning" | "error";
}

function describe({ problem, conversation, waiting }: StatusState, focusChat: string): Face {
  if (problem !== undefined) {
    const text = `$(key) ${vscode.l10n.t("Patchbay: Set up")}`;
    return { text, label: problem.message, command: commands.manageConnection };
  }
  if (waiting > 0) {
    const text = `$(bell) ${vscode.l10n.t("Patchbay: review {0}", waiting)}`;
    const label = vscode.l10n.t("{0} changes wait for your review; click to look at them.", waiting);
    return { text, label, command: commands.openReview, background: "warning" };
  }
  const last = conversation?.turns.at(-1);
  if (last?.status === "running") return runningFace(last, focusChat);
  if (last?.status === "failed") {
    return {
      text: "$(error) Patchbay",
      label: last.problem?.message ?? "",
      command: focusChat,
      background: "error",
    };
  }
  const usage = last?.usage.at(-1);
  if (usage?.input === undefined || usage.output === undefined) {
    return { text: "Patchbay", label: vscode.l10n.t("Ready"), command: focusChat };
  }
  const share =
    usage.cached === undefined || usage.input === 0
      ? undefined
      : Math.round((usage.cached / usage.input) * 100);
  const parts = [
    ...(share === undefined ? [] : [`$(database) ${share}%`]),
    vscode.l10n.t("{0} in", short(usage.input)),
    vscode.l10n.t("{0} out", short(usage.output)),
  ];
  const label = vscode.l10n.t("{0} tokens in, {1} tokens out in the last turn.", usage.input, usage.output);
  return { text: parts.join(" · "), label, command: focusChat };
}

function runningFace(turn: Turn, focusChat: string): Face {
  const questions = asking(turn).length;
  if (questions > 0) {
    const text = `$(bell) ${vscode.l10n.t("Patchbay: review {0}", questions)}`;
    const label = vscode.l10n.t("The answer waits for your decision.");
    return { text, label, command: focusChat, background: "warning" };
  }
  const label = vscode.l10n.t("The answer is arriving; click to stop it.");
  return { text: `$(loading~spin) ${vscode.l10n.t("Responding")}`, label, command: commands.stop };
}

const short = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);
