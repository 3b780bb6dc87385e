// What a person allows of commands, and whether that is possible on this machine.
import type { CheckHost } from "../checks/check.ts";
import type { Route } from "../conversation/models.ts";
import type { Disposable } from "../util/disposables.ts";

/**
 * `sandbox`: commands run only in a sandbox, without asking in the folders that were allowed. `ask`: where there is no
 * sandbox they run as well, and each one asks.
 */
type CommandMode = "off" | "sandbox" | "ask";

/** A line in a terminal that the person sees. */
export interface TerminalRun {
  readonly line: string;
  /** Called right before the shell gets the line, which may have run from then on. */
  onSent(): void;
  /** As the terminal gets it. */
  onOutput(piece: string): void;
  /** Ends the command as Ctrl+C does, and its terminal if that does not help. */
  readonly signal: AbortSignal;
}

/** `unsent`: the shell does not tell what runs in it, so the line waits there for the person. */
export type TerminalEnd =
  | { readonly how: "ended"; readonly code: number | undefined }
  | { readonly how: "unsent" | "closed" | "stopped" };

/** What the person themselves has said; a workspace cannot change it. Read at each use. */
export interface CommandHost {
  readonly mode: CommandMode;
  /** Whether models that call tools in their text may run commands. */
  readonly isForTextCalls: boolean;
  /** Whether commands run in a sandbox for this folder without asking. */
  isAllowedIn(folder: string): boolean;
  allowIn(folder: string): Promise<void>;
  /** Whether there are terminals. */
  readonly runsInTerminal: boolean;
  /** Runs a line that the person has just agreed to, in their own folder. */
  runInTerminal(folder: string, run: TerminalRun): Promise<TerminalEnd>;
  /** The folders of the workspace for which a person has said so; they can withdraw it. */
  readonly allowedFolders: readonly string[];
  askIn(folder: string): Promise<void>;
  /** They have allowed a folder, or withdrawn that. */
  onDidChange(listener: () => void): Disposable;
}

/** Whether a model may be offered commands here now. */
export async function offersCommands(
  host: CommandHost | undefined,
  checks: CheckHost | undefined,
): Promise<boolean> {
  if (host === undefined || checks === undefined || host.mode === "off" || checks.obstacle !== undefined)
    return false;
  return host.mode === "ask" || (await checks.confinement()).kind === "sandbox";
}

/** A model without an interface for tools writes its calls into its text. */
export const isForRoute = (host: CommandHost | undefined, route: Route): boolean =>
  host !== undefined && (route === "responses" || host.isForTextCalls);
