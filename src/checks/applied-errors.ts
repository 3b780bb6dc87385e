// Detects errors that the editor shows in files after a patch was applied and did not show before. Watches until they
// have settled, then shows them at the patch's row and reports them to the model as long as they are current. Knows no
// editor.
import { keyOf } from "../changes/proposal.ts";
import type { Workspace } from "../files/workspace.ts";
import { nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, LineEdit, LineRange } from "../patch/model.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import type { CheckFinding } from "./check-result.ts";
import { newFindings } from "./judge.ts";

interface AppliedErrorsDeps {
  readonly workspace: Pick<Workspace, "problems" | "onDidChangeProblems" | "read" | "isOpened" | "openFor">;
  /** The display name of a file. */
  nameOf(file: FileName): string;
  /** Whether any of this call's edits are in the files. */
  isApplied(call: string): boolean;
  readonly log: Log;
}

export interface NewErrors {
  readonly call: string;
  readonly errors: readonly CheckFinding[];
}

/** What was known about a file just before it was written. */
interface Before {
  readonly file: FileName;
  readonly errors: readonly CheckFinding[];
  /**
   * Set if nobody has checked the file yet, so that old errors may be reported late: only errors in these lines are
   * certainly new.
   */
  readonly lines?: readonly LineRange[];
}

interface Watched {
  readonly call: string;
  readonly files: readonly Before[];
  readonly until: number;
  /** The contents when the files were written; `undefined` if not known yet. */
  texts: readonly string[] | undefined;
  /** `undefined` until the errors have settled. */
  found: readonly CheckFinding[] | undefined;
  /** The errors are no longer reported to the model: the files have changed, or a person has asked about them. */
  isOver: boolean;
  timer: NodeJS.Timeout | undefined;
}

const settled = 3_000;
const longest = 30_000;
/** How long a language server may take for its first analysis of a file. */
const firstLook = 10_000;
/** Of many errors, the first ones are informative enough. */
const maxReported = 20;
const maxLetters = 500;

export class AppliedErrors {
  readonly #deps: AppliedErrorsDeps;
  readonly #changed = new Emitter<void>();
  readonly #listening: { dispose(): void } | undefined;
  #watched: readonly Watched[] = [];
  /** Extensions of files for which diagnostics have been reported in this window. */
  readonly #reported = new Set<string>();

  readonly onDidChange = this.#changed.on;

  constructor(deps: AppliedErrorsDeps) {
    this.#deps = deps;
    this.#listening = deps.workspace.onDidChangeProblems?.((files) => this.#hear(files));
  }

  /** Call just before these changes are written. The returned function takes the files that each call has written. */
  before(changes: readonly FileChange[]): (written: ReadonlyMap<string, readonly FileName[]>) => void {
    const known = new Map(
      changes.flatMap((change) => this.#knownOf(change) ?? []).map((each) => [keyOf(each.file), each]),
    );
    return (written) => {
      for (const [call, all] of written) {
        const own = all.flatMap((file) => known.get(keyOf(file)) ?? []);
        this.#end((each) => each.call === call);
        if (own.length > 0) this.#watch(call, own);
      }
    };
  }

  #knownOf(change: FileChange): Before | undefined {
    if (change.kind === "delete") return undefined;
    const file = nameAfter(change);
    // Every error in a new file is new.
    if (change.kind === "add") return { file, errors: [] };
    const path = this.#deps.nameOf(file);
    const errors = this.#errorsIn(change.file).map((error) => ({ ...error, path }));
    if (errors.length > 0) return { file, errors };
    const { workspace } = this.#deps;
    // If a file was not open and shows no errors, it may not have been checked. Its old errors would be taken for new
    // ones.
    if (workspace.isOpened?.(change.file) === false) return undefined;
    const isLookedAt = workspace.openFor === undefined || (workspace.openFor(change.file) ?? 0) >= firstLook;
    if (isLookedAt && this.#isReported(change.file)) return { file, errors };
    return { file, errors, lines: writtenLines(change.edits) };
  }

  /** Some extension in this window checks files of this kind. */
  #isReported({ path }: FileName): boolean {
    if (this.#reported.size === 0)
      for (const { file } of this.#deps.workspace.problems()) this.#reported.add(endingOf(file));
    return this.#reported.has(endingOf({ path }));
  }

  /** New errors that have settled and still exist. */
  get list(): readonly NewErrors[] {
    return this.#watched.flatMap(({ call, found = [] }) =>
      found.length > 0 && this.#deps.isApplied(call) ? [{ call, errors: found }] : [],
    );
  }

  /** Checks whether the files are still as they were written. */
  async refresh(): Promise<void> {
    for (const each of this.#watched) {
      if (each.found === undefined) continue;
      this.#shrink(each);
      if (!each.isOver && !(await this.#isSame(each))) each.isOver = true;
    }
    this.#endDone();
  }

  /** Errors for the model: new and current. */
  get news(): readonly NewErrors[] {
    const isFresh = ({ call }: NewErrors) => this.#watched.some((each) => each.call === call && !each.isOver);
    return this.list.filter(isFresh);
  }

  /** Marks a call's errors as passed on, because a person asks the model about them. */
  take(call: string): readonly CheckFinding[] {
    for (const each of this.#watched) if (each.call === call) each.isOver = true;
    return this.list.find((each) => each.call === call)?.errors ?? [];
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#end(() => true);
  }

  #watch(call: string, files: readonly Before[]): void {
    const { log } = this.#deps;
    const watched: Watched = {
      ...{ call, files, until: Date.now() + longest },
      ...{ texts: undefined, found: undefined, isOver: false, timer: undefined },
    };
    this.#watched = [...this.#watched, watched];
    this.#lookIn(watched, longest);
    this.#textsOf(watched)
      .then((texts) => {
        watched.texts = texts;
      })
      .catch((error: unknown) => log.error("A file could not be read after it was written.", error));
  }

  #lookIn(each: Watched, milliseconds: number): void {
    clearTimeout(each.timer);
    each.timer = setTimeout(
      () => {
        this.#look(each).catch((error: unknown) =>
          this.#deps.log.error("The errors of a file could not be read.", error),
        );
      },
      Math.max(0, Math.min(milliseconds, each.until - Date.now())),
    );
    each.timer.unref();
  }

  async #look(each: Watched): Promise<void> {
    // Edits made since then may have caused the errors.
    if (!(await this.#isSame(each))) return this.#end((one) => one === each);
    each.found = each.files.flatMap(({ file, errors, lines }) => {
      const isWritten = ({ line = 0 }: CheckFinding) =>
        lines?.some(({ first, last }) => line > first && line <= last) !== false;
      return newFindings(errors, this.#errorsIn(file)).filter(isWritten);
    });
    this.#endDone();
    this.#changed.fire();
  }

  /**
   * Waits for the first diagnostics of the files and until they settle. Later diagnostics are not attributed to the
   * patch.
   */
  #hear(files: readonly FileName[]): void {
    for (const file of files) this.#reported.add(endingOf(file));
    const reported = new Set(files.map(keyOf));
    for (const each of this.#watched) {
      if (!each.files.some(({ file }) => reported.has(keyOf(file)))) continue;
      if (each.found === undefined) this.#lookIn(each, settled);
      else if (this.#shrink(each)) this.#changed.fire();
    }
    this.#endDone();
  }

  /** Stops watching files without errors: the patch can no longer cause any. */
  #endDone(): void {
    this.#end(({ found }) => found?.length === 0);
  }

  /** Keeps the errors that still exist, at their current places. */
  #shrink(each: Watched): boolean {
    const { found = [] } = each;
    const now = each.files.flatMap(({ file }) => this.#errorsIn(file));
    const others = new Set(newFindings(found, now));
    const still = now.filter((error) => !others.has(error));
    const isOther = JSON.stringify(still) !== JSON.stringify(found);
    if (isOther) each.found = still;
    return isOther;
  }

  /** A deleted file counts as changed. */
  async #isSame(each: Watched): Promise<boolean> {
    const now = await this.#textsOf(each).catch(() => undefined);
    return now?.every((text, at) => text === each.texts?.[at]) === true;
  }

  #textsOf({ files }: Watched): Promise<readonly string[]> {
    const { workspace } = this.#deps;
    return Promise.all(
      files.map(async ({ file }) => {
        const reading = await workspace.read(file);
        return reading.kind === "text" ? reading.text : "";
      }),
    );
  }

  #errorsIn(file: FileName): readonly CheckFinding[] {
    const { workspace, nameOf } = this.#deps;
    return workspace
      .problems(file)
      .filter(({ severity }) => severity === "error")
      .map(({ line, column, message, code }) => ({
        path: nameOf(file),
        ...{ line, column, text: message.slice(0, maxLetters) },
        ...(code !== undefined && { code }),
      }));
  }

  #end(isOver: (each: Watched) => boolean): void {
    for (const each of this.#watched.filter(isOver)) clearTimeout(each.timer);
    this.#watched = this.#watched.filter((each) => !isOver(each));
  }
}

const endingOf = ({ path }: Pick<FileName, "path">): string => path.slice(path.lastIndexOf(".") + 1);

/** The errors for the model, one per line. */
export function errorLines(errors: readonly CheckFinding[]): string {
  const lines = errors.slice(0, maxReported).map(({ path, line, column, text, code = "" }) => {
    const place = [path, line, line === undefined ? undefined : column]
      .filter((each) => each !== undefined)
      .join(":");
    return `${place} ${code} ${text}`;
  });
  const more = errors.length - maxReported;
  return [...lines, ...(more > 0 ? [`[${more} more are not shown.]`] : [])].join("\n");
}

/** The lines that these edits have written, in the text after them. */
function writtenLines(edits: readonly LineEdit[]): readonly LineRange[] {
  let shift = 0;
  return edits.map(({ lines, written }) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    return { first, last: first + written };
  });
}
