// What went wrong, as data: one sentence for people and what they can do about it. Made in one place
// (core/api/errors.ts for the service), shown in one place (the page's problem card), never thrown.

export type ProblemKind =
  | "not-configured"
  | "no-key"
  | "auth"
  | "bad-request"
  | "not-found"
  | "too-large"
  | "busy"
  | "quota"
  | "server"
  | "network"
  | "timeout"
  | "redirect"
  | "protocol"
  | "refused-locally"
  | "bug";

/** A button. The host decides what it does; the page only shows it. */
export type ProblemAction =
  | "set-base-url"
  | "set-key"
  | "retry"
  | "continue"
  | "raise-limit"
  | "proxy-help"
  | "connection-check"
  | "open-log";

export interface Problem {
  readonly kind: ProblemKind;
  /** One sentence, complete by itself, already free of the key and of control characters. */
  readonly message: string;
  readonly actions: readonly ProblemAction[];
  readonly status?: number;
  /** The service's own words, at most 2,000 characters, plain text. */
  readonly detail?: string;
  readonly requestId?: string;
  /** Milliseconds since the epoch; set when the service said when to come back. */
  readonly retryAt?: number;
}
