// Runs a command so that it can change nothing but its copy. The entry point of this folder: selects the sandbox for
// the current system.
import { forLog } from "../../../util/sentences.ts";
import { findBubblewrap, findSeatbelt } from "./find-sandbox.ts";

export interface SandboxRun {
  /** One line for /bin/sh. */
  readonly command: string;
  /** The writable folder, in which the command runs. */
  readonly copy: string;
  /** The path at which the command sees the copy: the real path of the real folder, which is hidden by it. */
  readonly at: string;
  /**
   * Dependency folders of the real folder, as absolute paths below `at`. They are readable; what is written to them is
   * discarded.
   */
  readonly overlay: readonly string[];
  readonly readOnly: readonly string[];
  /** Caches of this copy. */
  readonly writable: readonly { readonly from: string; readonly at: string }[];
  /**
   * The complete environment, except TMPDIR and similar variables: those are set here, since only the sandbox knows
   * them.
   */
  readonly env: Readonly<Record<string, string>>;
  /** A folder for this run alone, which contains its /tmp. Created if missing, and removed afterwards. */
  readonly temporary: string;
  readonly seconds: number;
  readonly limits?: Partial<SandboxLimits>;
  /** Shares the machine's network, with all that listens on it. Absent: a network of its own, with a loopback only. */
  readonly network?: true;
  /** Called with each piece of the output as it arrives. */
  readonly onOutput?: (piece: string) => void;
}

export interface SandboxLimits {
  readonly outputLetters: number;
  readonly processes: number;
  /** Memory limit for all processes together, in bytes. */
  readonly memory: number;
  /** Disk space that the run may use, in bytes. */
  readonly disk: number;
  /** Disk space that must stay free, in bytes. */
  readonly freeDisk: number;
  /** Size limit for a single file, in bytes. */
  readonly file: number;
}

export interface SandboxResult {
  /** "broken": the sandbox itself failed and the command never started; the output says why. */
  readonly end: "done" | "timeout" | "output" | "disk" | "memory" | "processes" | "broken";
  readonly code?: number;
  readonly output: string;
  readonly seconds: number;
}

export interface Sandbox {
  /** Whether writes to `overlay` succeed and are discarded. Otherwise they fail. */
  readonly overlays: boolean;
  /**
   * Call it on the main thread: a sandbox ends with the thread that started it. Rejects with the signal's reason when
   * it is aborted, once no process is left.
   */
  run(run: SandboxRun, signal: AbortSignal): Promise<SandboxResult>;
}

/**
 * Why there is no sandbox: another system or processor; no bubblewrap; a bubblewrap without required features; Ubuntu's
 * AppArmor; user namespaces turned off; refused for another reason, as in most containers; a sandbox that failed the
 * trial because something got out.
 */
export type NoSandboxReason =
  | "platform"
  | "missing"
  | "outdated"
  | "apparmor"
  | "namespaces"
  | "refused"
  | "leaks";

export type SandboxState =
  | { readonly kind: "works"; readonly sandbox: Sandbox }
  | {
      readonly kind: "none";
      readonly why: NoSandboxReason;
      /** For the log: what was tried and its output. */
      readonly detail: string;
      /** A command to copy. */
      readonly remedy?: string;
    };

export interface FindSandboxOptions {
  /** Our own storage folder. The trial runs in it, and no command can see it. */
  readonly storage: string;
  /** Nothing in these folders runs outside of a sandbox, and a command sees only the one it runs on. */
  readonly workspaceFolders: readonly string[];
  /** Where to look for programs; PATH if absent. */
  readonly path?: string;
  /** Program folders in unusual places, which commands may read. */
  readonly programs?: readonly string[];
  /** Use only this bubblewrap. */
  readonly bubblewrap?: string;
}

/**
 * Finds a sandbox that works here. Decided by running a command in it that tries to get out, never by the mere presence
 * of a program.
 */
export async function findSandbox(options: FindSandboxOptions): Promise<SandboxState> {
  if (process.platform === "linux") return findBubblewrap(options);
  if (process.platform === "darwin") return findSeatbelt(options);
  return { kind: "none", why: "platform", detail: forLog(`There is no sandbox for ${process.platform}.`) };
}
