// Every word the page shows, in one place.
import type { ProblemAction } from "../core/conversation/problem.ts";
import type { Turn } from "../core/conversation/state.ts";

export const words = {
  you: "You",
  transcript: "Conversation",
  ask: "Ask about your code",
  askHint: "Enter sends, Shift+Enter starts a new line, Escape stops.",
  model: "Model",
  send: "Send",
  stop: "Stop",
  reasoning: "Reasoning",
  search: "Searched the web",
  searching: "Searching the web",
  responding: "Responding",
  empty: [
    "Ask a question about your code, or about anything else.",
    "Answers stream in here; Escape stops them.",
    "K3 can reason, search and edit. The other models chat.",
  ],
} as const;

export const endings: Record<Turn["status"], string> = {
  running: "Responding …",
  done: "Done",
  incomplete: "The answer was cut off.",
  stopped: "Stopped. Tokens that were already generated may be billed.",
  failed: "The answer failed.",
  interrupted: "The answer was interrupted. What had arrived is kept.",
};

export const actionLabels: Record<ProblemAction, string> = {
  "set-base-url": "Set base address",
  "set-key": "Set API key",
  retry: "Retry",
  continue: "Continue",
  "raise-limit": "Raise the limit",
  "proxy-help": "Proxy settings",
  "connection-check": "Check the connection",
  "open-log": "Open log",
};

export const waitingText = (seconds: number, reason: string): string =>
  `${reason} Trying again in ${seconds} s.`;
