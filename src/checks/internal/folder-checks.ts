// The checks of one folder, on its copy: one at a time, each on a clean copy with or without the proposal. Results
// without the proposal are cached while the files stay the same. Independent of the editor.

import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createMutex } from "../../util/concurrency.ts";
import { present } from "../../util/present.ts";
import { raceAbort } from "../../util/timeouts.ts";
import {
  type Check,
  type CheckCopy,
  type CheckRun,
  type CommandLine,
  type CommandRun,
  type CopySearch,
  compilerState,
  type Overlaid,
  type Reader,
  StoppedCommand,
  type Touched,
} from "../check.ts";
import { timeoutOf } from "./check-timeout.ts";
import { environmentFor, offlineVariables, unattended } from "./command-environment.ts";
import { changesInCopy, filesBefore } from "./copy/changed-by-command.ts";
import type { Dependencies } from "./copy/dependencies.ts";
import type { Texts } from "./copy/files-without-links.ts";
import { type CopyDeps, ShadowCopy } from "./copy/shadow-copy.ts";
import type { Updated } from "./copy/sources.ts";
import type { Program } from "./reader-program.ts";
import { type CommandDeps, defaultLimits, runCommand } from "./run-check-command.ts";
import { removeTree } from "./sandbox/remove-tree.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { unseenFiles } from "./unseen-files.ts";

interface RunDeps {
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
class CopyRuns {
  readonly #shadow: ShadowCopy;
  readonly #without: Texts;
  readonly #together: Texts;
  readonly #needs: RunDeps;
  /** Of who uses the copy now. */
  progress: UseOptions["progress"];
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

export interface FolderChecksDeps extends CopyDeps, RunDeps {
  readonly folder: string;
  /** Unsaved documents. */
  unsaved(): Texts;
}

const textsOf = (part: Overlaid): Texts => part.map(([{ path }, state]) => [path, state?.text ?? null]);

/** Cached runs without a proposal, and the characters of all their outputs. */
const maxBaselines = 50;
const maxBaselineLetters = 16_000_000;

/** Milliseconds after which a person is asked without the number of files that would be copied. */
const longestMeasured = 3000;

interface Opened {
  readonly copy: ShadowCopy;
  readonly runs: CopyRuns;
}

interface UseOptions {
  progress?(done: number, all: number): void;
  readonly search?: CopySearch | undefined;
}

export class FolderChecks {
  readonly #needs: FolderChecksDeps;
  readonly #one = createMutex();
  readonly #baselines = new Map<string, CheckRun>();
  /** Aborts what runs when the window closes. */
  readonly #closing = new AbortController();
  #copy: Promise<ShadowCopy> | undefined;
  /** How a search has left the copy, which goes on from there if it is served next. */
  #left: { readonly search: CopySearch; readonly opened: Opened } | undefined;

  constructor(deps: FolderChecksDeps) {
    this.#needs = deps;
  }

  /** `proposed`: as a function it is called once nobody else uses the copy. */
  withCopy<T>(
    proposed: Texts | (() => Promise<Texts>),
    use: (copy: CheckCopy) => Promise<T>,
    wanted: AbortSignal,
    { progress, search }: UseOptions = {},
  ): Promise<T> {
    const signal = this.#untilClosed(wanted);
    return this.#one(async () => {
      signal.throwIfAborted();
      const copy = await this.#open();
      const left = this.#left;
      this.#left = undefined;
      const isLeft = search !== undefined && left?.search === search && left.opened.copy === copy;
      if (!isLeft) await left?.opened.runs.end();
      const runs = isLeft ? left.opened.runs : await this.#runsOf(copy, proposed);
      runs.progress = progress;
      const keyOf = async (check: Check) =>
        JSON.stringify([await runs.stateFor(check, signal), check.id, check.isConfined === true]);
      try {
        return await use({
          command: (line, stop) => runs.command(line, this.#untilClosed(stop)),
          run: (check, stop, part) =>
            runs.run(check, part === undefined ? true : textsOf(part), this.#untilClosed(stop)),
          knownBaseline: async (check) => this.#baselines.get(await keyOf(check)),
          baseline: async (check, stop) => {
            const key = await keyOf(check);
            const known = this.#baselines.get(key) ?? (await runs.run(check, false, this.#untilClosed(stop)));
            // Where something else has ended it, the next one may do better.
            if (known.end === "output" || (known.end === "done" && known.code !== undefined))
              this.#keepBaseline(key, known);
            return known;
          },
        });
      } finally {
        if (search === undefined) await runs.end();
        else this.#left = { search, opened: { copy, runs } };
      }
    }, signal);
  }

  #keepBaseline(key: string, run: CheckRun): void {
    this.#baselines.set(key, run);
    let letters = 0;
    for (const { output } of this.#baselines.values()) letters += output.length;
    for (const [first, { output }] of this.#baselines) {
      if (this.#baselines.size <= maxBaselines && letters <= maxBaselineLetters) return;
      this.#baselines.delete(first);
      letters -= output.length;
    }
  }

  async #runsOf(copy: ShadowCopy, proposed: Texts | (() => Promise<Texts>)): Promise<CopyRuns> {
    const texts = typeof proposed === "function" ? await proposed() : proposed;
    const unsaved = this.#needs.unsaved();
    const together = [...new Map([...unsaved, ...texts])];
    return new CopyRuns(copy, { unsaved, together }, this.#needs);
  }

  #untilClosed(stop: AbortSignal): AbortSignal {
    return AbortSignal.any([stop, this.#closing.signal]);
  }

  /** Opens the copy. If that fails, or another window owns it by now, the next call tries again. */
  async #open(): Promise<ShadowCopy> {
    const known = await this.#copy;
    if (known !== undefined && !(await known.isOurs())) {
      await known.close();
      this.#copy = undefined;
    }
    this.#copy ??= ShadowCopy.open(this.#needs.folder, this.#needs).catch((error: unknown) => {
      this.#copy = undefined;
      throw error;
    });
    return this.#copy;
  }

  /**
   * How much would have to be copied before a program of the folder may run; `undefined` if it is little, or if it is not
   * known by the time that `soon` is aborted: a question waits neither for others that use the copy nor for the counting
   * of very many files. Counting that has begun goes on, because ending it would end the thread of the copy.
   */
  async measure(
    signal: AbortSignal,
    soon = AbortSignal.timeout(longestMeasured),
  ): ReturnType<ShadowCopy["measure"]> {
    const waits = AbortSignal.any([signal, soon]);
    const measured = this.#one(async () => (await this.#open()).measure(signal), waits);
    try {
      return await raceAbort(measured, waits);
    } catch (error) {
      signal.throwIfAborted();
      if (soon.aborted) return undefined;
      throw error;
    }
  }

  /** Resolves once nothing runs on the copy or writes to it any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#one(async () => {
      await this.#left?.opened.runs.end();
      await (await this.#copy)?.close();
    });
  }
}
