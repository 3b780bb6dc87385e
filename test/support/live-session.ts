// The product's own session, client, tools, change set and checks on a real folder, without a window.
import type { PendingFile } from "../../src/changes/pending-changes.ts";
import type { Sandbox } from "../../src/checks/internal/sandbox/sandbox.ts";
import type { CommandHost } from "../../src/commands/command-host.ts";
import { inEnglish } from "../../src/conversation/english.ts";
import type { Attachment, Usage } from "../../src/conversation/state.ts";
import { type AppliedChange, appliedChange } from "./disk-workspace.ts";
import { type Answer, answerOf, type ConversationOptions, driveSession } from "./driven-session.ts";
import { type CheckCommand, checkHostOf, openChecks } from "./proposal-checks.ts";
import { type FolderProblem, openRealFolder } from "./real-folder.ts";

export interface LiveState extends Answer {
  readonly turns: readonly LiveTurn[];
  /** The last results of the checks on what is proposed. */
  readonly checks: readonly LiveCheck[];
}

export interface LiveCheck {
  readonly name: string;
  readonly state: string;
  readonly newFindings: number;
  /** Why it says no more, or for what it waits, in English. */
  readonly why?: string;
}

export interface LiveTurn extends Answer {
  readonly prompt: string;
  /** One for each request that it made, as the service reported them. */
  readonly usage: readonly Usage[];
}

export interface LiveProposal {
  readonly kind: AppliedChange["kind"];
  readonly path: string;
  readonly to?: string;
  /** What can be decided about. */
  readonly hunks: readonly LiveHunk[];
  /** Places that the file has by now in its own way; `reject` gives them up. */
  readonly conflicts: number;
  /** Why nothing of it can be accepted now, in English. */
  readonly problem?: string;
}

export interface LiveHunk {
  /** What `accept` and `reject` are called with. */
  readonly id: string;
  readonly added: number;
  readonly removed: number;
  readonly flags: readonly string[];
}

export interface LiveSession {
  /** Resolves as `oneConversation` does. An attachment that is a text is the path of a file. */
  send(text: string, attachments?: readonly (string | Attachment)[], how?: LiveRequest): Promise<Answer>;
  /** Goes on with a turn that a limit has ended. */
  goOn(): Promise<Answer>;
  /** Has all that was said summarized. */
  compact(): Promise<Answer>;
  /** Said while it works: it goes along with the next request. */
  steer(text: string): void;
  stop(): void;
  state(): LiveState;
  /** What is proposed, on the folder as it is now. */
  proposals(): Promise<readonly LiveProposal[]>;
  /** Lets what waits for an answer go on, and leaves alone what is proposed. */
  agree(): Promise<Answer>;
  /** Writes into the folder: all that waits, or only these hunks. Answers what waits for an answer. */
  accept(ids?: readonly string[]): Promise<Answer>;
  reject(ids?: readonly string[], reason?: string): Promise<Answer>;
  close(): Promise<void>;
}

export interface LiveRequest {
  /** One of the commands that a person types behind a slash. */
  readonly command?: string;
  /** Most tokens of output for this turn. */
  readonly outputTokens?: number;
}

export interface LiveOptions extends ConversationOptions {
  readonly model?: string;
  /** Run on what is proposed as a person's own checks are: by themselves at the end of a turn. */
  readonly checks?: readonly CheckCommand[];
  /** The model may run commands in it, unasked. */
  readonly sandbox?: Sandbox;
  /** What the editor would show as wrong in the folder. */
  readonly problems?: readonly FolderProblem[];
  /** Hears every event of the session, as data whose form may change. */
  onEvent?(event: unknown): void;
}

/** The product's own session, client, tools, change set and checks on a real folder, without a window. */
export function openLiveSession(
  root: string,
  { checks = [], sandbox, problems, onEvent, ...options }: LiveOptions,
): LiveSession {
  const folder = openRealFolder(root, problems);
  const isRun = checks.length > 0 || sandbox !== undefined;
  const opened = isRun ? openChecks(root, checks, sandbox) : undefined;
  let asked = 0;
  // Whoever drives this may change files between two questions.
  const checkHost = opened && checkHostOf(opened, () => asked + folder.written);
  const driven = driveSession(folder, {
    ...options,
    checkHost,
    commandHost: sandbox === undefined ? undefined : allowed,
  });
  const { session } = driven;
  if (onEvent !== undefined) session.onEvent(onEvent);
  const asking = (ask: () => Promise<unknown>) => {
    asked += 1;
    return driven.answer(ask);
  };
  return {
    send: (prompt, attachments = [], how = {}) =>
      asking(() =>
        session.send({
          ...how,
          prompt,
          attachments: attachments.map((each) =>
            typeof each === "string" ? ({ kind: "file", path: each } as const) : each,
          ),
        }),
      ),
    goOn: () => asking(() => session.retry("continue")),
    compact: () => asking(() => session.compact()),
    steer: (prompt) =>
      void session.send({ prompt, attachments: [], delivery: "step" }).catch(() => undefined),
    stop: () => session.stop(),
    state: () => ({
      ...driven.now(),
      turns: session.state.turns.map((turn) => ({
        ...answerOf(turn),
        prompt: turn.prompt,
        usage: turn.usage,
      })),
      checks: (session.patches.checks?.results ?? []).map(({ name, state, findings, why }) => ({
        name,
        state,
        newFindings: findings.length,
        ...(why !== undefined && { why: inEnglish(why) }),
      })),
    }),
    async proposals() {
      await session.patches.changes.refresh();
      return session.patches.changes.pending.map(proposalOf);
    },
    agree: driven.agree,
    accept: driven.accept,
    reject: driven.reject,
    async close() {
      await driven.close();
      await opened?.close();
    },
  };
}

/** As a person has set it who lets commands run in a sandbox, and was asked about this folder. */
const allowed: CommandHost = {
  mode: "sandbox",
  isForTextCalls: true,
  isAllowedIn: () => true,
  async allowIn() {},
  // Nobody sits before a terminal.
  runsInTerminal: false,
  runInTerminal: async () => ({ how: "unsent" }),
  allowedFolders: [],
  async askIn() {},
  onDidChange: () => ({ dispose() {} }),
};

const proposalOf = ({ change, hunks, conflicts, problem }: PendingFile): LiveProposal => ({
  ...appliedChange(change),
  hunks: hunks.map(({ id, added, removed, flags }) => ({ id, added, removed, flags })),
  conflicts: conflicts.length,
  ...(problem !== undefined && { problem: inEnglish(problem) }),
});
