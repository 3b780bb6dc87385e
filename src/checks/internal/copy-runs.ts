// Runs of checks and commands on one state of a copy: how each is started, and what it may leave behind. Which copy, and
// what is cached, is decided by folder-checks.ts.
import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { present } from "../../util/present.ts";
import {
  type Check,
  type CheckRun,
  type CommandLine,
  type CommandRun,
  compilerState,
  type Reader,
  StoppedCommand,
  type Touched,
} from "../check.ts";
import { timeoutOf } from "./check-timeout.ts";
import { environmentFor, offlineVariables, unattended } from "./command-environment.ts";
import { changesInCopy, filesBefore } from "./copy/changed-by-command.ts";
import type { Dependencies } from "./copy/dependencies.ts";
import type { Texts } from "./copy/files-without-links.ts";
import type { ShadowCopy } from "./copy/shadow-copy.ts";
import type { Updated } from "./copy/sources.ts";
import type { Program } from "./reader-program.ts";
import { type CommandDeps, defaultLimits, runCommand } from "./run-check-command.ts";
import { removeTree } from "./sandbox/remove-tree.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { unseenFiles } from "./unseen-files.ts";

export interface RunDeps {
  /** Finds the program of a reader. */
  programOf(reader: Reader): Promise<Program | undefined>;
  /** `undefined` if there is no sandbox. */
  sandbox(): Promise<Sandbox | undefined>;
  /** Excluded by the privacy rules. */
  isLeftOut(path: string): boolean;
}

interface Prepared extends Pick<Updated, "state" | "began"> {
  readonly dependencies: Dependencies;
  /** Dependency folders of the original folder to be mounted over the copy, as relative paths. */
  readonly overlay: readonly string[];
  /** All dependency folders of the original folder. */
  readonly installed: readonly string[];
}

/** File system timestamps lag by some milliseconds. */
const clockLag = 20;

const never = new AbortController().signal;

/**
 * Runs checks one after the other on one state of a copy, in the way each of them needs, and makes sure that they leave
 * nothing behind for the next proposal.
 */
export class CopyRuns {
  readonly #shadow: ShadowCopy;
  readonly #without: Texts;
  readonly #together: Texts;
  readonly #needs: RunDeps;
  /** Of who uses the copy now. */
  progress: ((done: number, all: number) => void) | undefined;
  #prepared: Prepared | undefined;
  /** The texts the copy contains. */
  #holds: Texts | undefined;
  /** When a program began to run on the proposal; `undefined` once the copy was restored since. */
  #since: number | undefined;

  constructor(
    shadow: ShadowCopy,
    { unsaved, together }: { readonly unsaved: Texts; readonly together: Texts },
    deps: RunDeps,
  ) {
    this.#shadow = shadow;
    this.#without = unsaved;
    this.#together = together;
    this.#needs = deps;
  }

  /** State hash of the files without the proposal. */
  async stateFor(check: Check, signal: AbortSignal): Promise<string> {
    const { state } = await this.#prepare(check, signal);
    return createHash("sha256")
      .update(JSON.stringify([state, this.#without]))
      .digest("hex");
  }

  /** `proposed`: the texts of a part of the proposal, or `true` for the whole. */
  async run(check: Check, proposed: boolean | Texts, signal: AbortSignal): Promise<CheckRun> {
    const shadow = this.#shadow;
    const isProposed = proposed !== false;
    const whole = isProposed ? this.#together : this.#without;
    const texts = typeof proposed === "boolean" ? whole : [...new Map([...this.#without, ...proposed])];
    const { overlay } = await this.#prepare(check, signal);
    if (this.#holds !== texts) await this.#restore(texts, signal);
    this.#holds = undefined;
    if (check.reader !== undefined) return this.#read(check, check.reader, isProposed, signal);
    const time = Date.now() - clockLag;
    if (isProposed) this.#since = await shadow.begin(signal);
    if (check.isConfined === true)
      return this.#runConfined(
        { line: check.command, seconds: timeoutOf(check), env: unattended },
        overlay,
        isProposed,
        signal,
      );
    const run = await this.#runCommand(check, {}, signal);
    const touched = await shadow.changedSince(time, never);
    return touched.length > 0 ? { ...run, touched } : run;
  }

  /** Like a check on a proposal, since nobody has read the line. */
  async command(command: CommandLine, signal: AbortSignal): Promise<CommandRun> {
    const shadow = this.#shadow;
    const { isConfined, line, seconds, hasNetwork, onOutput, wants } = command;
    const { overlay, installed, began } = await this.#prepare({ isConfined }, signal);
    if (this.#holds !== this.#together) await this.#restore(this.#together, signal);
    this.#holds = undefined;
    const { root, place } = shadow;
    const before = await filesBefore({ place, installed }, signal);
    const time = Date.now() - clockLag;
    const since = await shadow.begin(signal);
    this.#since = since;
    const own = { line, seconds, hasNetwork, onOutput };
    const run = isConfined
      ? await this.#runConfined(own, overlay, true, signal)
      : await this.#runLine(own, signal).catch(async (error: unknown) => {
          const touched = await this.#touchedSince(time);
          throw Object.keys(touched).length === 0 ? error : new StoppedCommand(touched, error);
        });
    const listed = new Set(shadow.listed);
    const { isLeftOut } = this.#needs;
    const texts = this.#together.filter(([path]) => !isLeftOut(path));
    const changes = await changesInCopy(
      { ...{ root, place, before, since, copied: began, listed, texts, installed }, isLeftOut, wants },
      signal,
    );
    return { ...run, changes, ...(isConfined ? {} : await this.#touchedSince(time)) };
  }

  async #touchedSince(time: number): Promise<Touched> {
    const all = await this.#shadow.changedSince(time, never);
    const touched = all.filter((path) => !this.#needs.isLeftOut(path));
    const hidden = all.length - touched.length;
    return {
      ...(touched.length > 0 && { touched }),
      ...(hidden > 0 && { touchedPrivate: hidden }),
    };
  }

  async #runLine({ line, seconds, onOutput }: Line, signal: AbortSignal): Promise<CheckRun> {
    const { place, temporary } = this.#shadow;
    // Git would look for a repository in the folders around the copy.
    const env = { GIT_CEILING_DIRECTORIES: dirname(place) };
    const run = await runCommand(
      { command: line, env, folder: place, temporary, seconds, ...present({ onOutput }) },
      signal,
    );
    return { ...run, output: relativeTo(place, run.output) };
  }

  /** Removes what a proposal has left, so that the next one does not find it. */
  async end(): Promise<void> {
    // If that fails, the next window starts with a new copy.
    if (this.#since !== undefined) await this.#restore(this.#without, never).catch(() => {});
  }

  async #read(check: Check, reader: Reader, isProposed: boolean, signal: AbortSignal): Promise<CheckRun> {
    const program = await this.#needs.programOf(reader);
    if (program === undefined) throw new Error(`There is no ${reader.program} any more.`);
    const { temporary } = this.#shadow;
    const args = reader.args.map((each) => each.replace("{temporary}", temporary));
    const command = [program.file, ...program.args, ...args] as const;
    const run = await this.#runCommand(check, { command, env: program.env }, signal);
    if (!isProposed || reader.program !== "typescript") return run;
    const paths = this.#together.flatMap(([path, text]) => (text === null ? [] : [path]));
    const state = { file: join(temporary, compilerState), folder: temporary };
    const notSeen = await unseenFiles(state, this.#shadow.place, paths);
    return notSeen.length === 0 ? run : { ...run, notSeen };
  }

  async #runCommand(
    check: Check,
    program: Partial<Pick<Parameters<typeof runCommand>[0], "command" | "env">>,
    signal: AbortSignal,
  ): Promise<CheckRun> {
    const { place, temporary } = this.#shadow;
    const { command = check.command } = program;
    const env = { ...unattended, ...program.env };
    const run = await runCommand(
      { command, env, folder: place, temporary, seconds: timeoutOf(check) },
      signal,
    );
    return { ...run, output: relativeTo(place, run.output) };
  }

  /**
   * Runs in the sandbox, with the copy mounted at the folder's own path and the dependencies over it. Without a sandbox
   * nothing runs.
   */
  async #runConfined(
    { line, seconds, env: own, hasNetwork, onOutput }: Line,
    overlay: readonly string[],
    isProposed: boolean,
    signal: AbortSignal,
  ): Promise<CheckRun> {
    const { place, root, cache, temporary } = this.#shadow;
    const sandbox = await this.#needs.sandbox();
    if (sandbox === undefined) return { end: "sandbox", output: "", seconds: 0 };
    await makeFolder(cache);
    const { TMPDIR: _, TEMP: __, TMP: ___, ...env } = environmentFor(root, temporary);
    const run = await sandbox.run(
      {
        ...{ command: line, copy: place, at: root, seconds },
        overlay: overlay.map((each) => join(root, each)),
        // Otherwise a proposal could put results there that make a later one pass.
        readOnly: isProposed ? [cache] : [],
        writable: isProposed ? [] : [{ from: cache, at: cache }],
        env: { ...(hasNetwork === true ? withoutOffline(env) : env), ...own, GOCACHE: join(cache, "go") },
        temporary: `${temporary}-sandbox`,
        limits: { outputLetters: defaultLimits.outputLetters },
        ...present({ onOutput, network: hasNetwork === true ? (true as const) : undefined }),
      },
      signal,
    );
    const end = run.end === "broken" ? "sandbox" : run.end;
    // Not every sandbox can mount the copy at the folder's path.
    return { ...run, end, output: withoutFolder(root, relativeTo(place, run.output)) };
  }

  async #prepare(
    { reader, isConfined }: Pick<Check, "reader" | "isConfined">,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const wanted: Dependencies = reader !== undefined ? "links" : isConfined === true ? "none" : "own";
    const known = this.#prepared;
    if (known?.dependencies === wanted || (known?.dependencies === "own" && wanted === "links")) return known;
    const update = (dependencies: Dependencies) =>
      this.#shadow.update(this.#together, dependencies, signal, this.progress);
    let updated = await update(wanted);
    // Proposed files in a mounted folder would be hidden by the mount: copy the dependencies instead.
    const isIn = (folder: string) => this.#together.some(([path]) => path.startsWith(`${folder}/`));
    const isHidden = wanted === "none" && updated.installed.some(isIn);
    if (isHidden) updated = await update("own");
    const { state, installed, began } = updated;
    const prepared = {
      ...{ state, began },
      dependencies: wanted,
      installed,
      overlay: wanted === "none" && !isHidden ? installed : [],
    };
    this.#prepared = prepared;
    this.#holds = this.#together;
    return prepared;
  }

  async #restore(texts: Texts, signal: AbortSignal): Promise<void> {
    // Not cancellable after a proposal has run: nobody waits long for it, and an aborted restore would have to start
    // over.
    await this.#shadow.restore(texts, this.#since, this.#since === undefined ? signal : never);
    this.#since = undefined;
    this.#holds = texts;
  }
}

/** A line for the shell. */
type Line = Pick<CommandLine, "line" | "seconds"> &
  Partial<Pick<CommandLine, "hasNetwork" | "onOutput"> & Pick<CommandDeps, "env">>;

/** Programs are told to stay offline where there is no network. */
const withoutOffline = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !offlineVariables.has(name)));

async function makeFolder(place: string): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined) await removeTree(place);
  await mkdir(place, { mode: 0o700 });
}

/** Makes paths in the output look as if it had run in the folder itself. */
const relativeTo = (place: string, output: string): string =>
  output.replaceAll(`${place}/`, "").replaceAll(`${place}\\`, "").replaceAll(place, ".");

/** The same for the folder's own path, which may be part of others, as `/app` is. */
function withoutFolder(root: string, output: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = output.indexOf(root); at >= 0; at = output.indexOf(root, at + root.length)) {
    const end = at + root.length;
    const isInPath = partOfPath.test(output.slice(Math.max(0, at - 2), at));
    if (isInPath || goesOn.test(output.slice(end, end + 2))) continue;
    const isFolder = output[end] !== "/";
    pieces.push(output.slice(from, at), isFolder ? "." : "");
    from = isFolder ? end : end + 1;
  }
  return [...pieces, output.slice(from)].join("");
}

/** What stands before a path that begins elsewhere; `//` belongs to a URL. */
const partOfPath = /[\p{L}\p{N}_.~@+)\]-]$|(?:^|[^/])\/$/u;
/** What makes the folder's name a longer one. */
const goesOn = /^(?:[\p{L}\p{N}_~@+-]|\.[\p{L}\p{N}_])/u;
