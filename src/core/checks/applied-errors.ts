// Errors that the editor shows in files once a patch was written into them, and did not show before: watched until they have
// settled, told to the person at its row, and to the model as long as they are true. Knows no editor.
import type { CheckFinding } from "../conversation/check.ts";
import type { FileName } from "../patch/model.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import type { Workspace } from "../workspace.ts";
import { newFindings } from "./judge.ts";

export interface AppliedErrorsDeps {
  readonly workspace: Pick<Workspace, "problems" | "onDidChangeProblems" | "read" | "isOpened">;
  /** How a file is called. */
  nameOf(file: FileName): string;
  /** Something of this call is in the files. */
  isApplied(call: string): boolean;
  readonly log: Log;
}

export interface NewErrors {
  readonly call: string;
  readonly errors: readonly CheckFinding[];
}

interface Watched {
  readonly call: string;
  readonly files: readonly FileName[];
  readonly before: readonly CheckFinding[];
  readonly until: number;
  /** As they were when it was written; nothing: not known yet. */
  texts: readonly string[] | undefined;
  /** Nothing: they have not settled yet. */
  found: readonly CheckFinding[] | undefined;
  /** The model is not told of it: the files are others by now, or a person has asked about it. */
  isOver: boolean;
  timer: NodeJS.Timeout | undefined;
}

const settled = 3_000;
const longest = 30_000;
/** Of many the first say enough. */
const mostTold = 20;
const mostLetters = 500;

export class AppliedErrors {
  readonly #deps: AppliedErrorsDeps;
  readonly #changed = new Emitter<void>();
  readonly #listening: { dispose(): void } | undefined;
  #watched: readonly Watched[] = [];

  readonly onDidChange = this.#changed.on;

  constructor(deps: AppliedErrorsDeps) {
    this.#deps = deps;
    this.#listening = deps.workspace.onDidChangeProblems?.(() => this.#hear());
  }

  /** Just before these files are written; what it answers is told which calls have written which of them. */
  before(files: readonly FileName[]): (written: ReadonlyMap<string, readonly FileName[]>) => void {
    const { workspace } = this.#deps;
    // Of a file that nobody had open nothing is known where nothing is shown: old errors would be taken for new ones.
    const isKnown = (file: FileName) =>
      workspace.isOpened?.(file) !== false || workspace.problems(file).length > 0;
    const known = new Set(files.filter(isKnown).map(keyOf));
    const errors = new Map(files.map((file) => [keyOf(file), this.#errorsIn([file])]));
    return (written) => {
      for (const [call, all] of written) {
        const own = all.filter((file) => known.has(keyOf(file)));
        this.#end((each) => each.call === call);
        if (own.length > 0)
          this.#watch(
            call,
            own,
            own.flatMap((file) => errors.get(keyOf(file)) ?? []),
          );
      }
    };
  }

  /** As far as they have settled and are still there. */
  get list(): readonly NewErrors[] {
    return this.#watched.flatMap(({ call, found = [] }) =>
      found.length > 0 && this.#deps.isApplied(call) ? [{ call, errors: found }] : [],
    );
  }

  /** Looks whether the files are still as they were written. */
  async refresh(): Promise<void> {
    for (const each of this.#watched) {
      if (each.found === undefined) continue;
      this.#shrink(each);
      if (!(await this.#isSame(each))) each.isOver = true;
    }
  }

  /** For the model: what is new and true. */
  get news(): readonly NewErrors[] {
    const isFresh = ({ call }: NewErrors) => this.#watched.some((each) => each.call === call && !each.isOver);
    return this.list.filter(isFresh);
  }

  /** A person asks the model about them: it need not be told again. */
  take(call: string): readonly CheckFinding[] {
    for (const each of this.#watched) if (each.call === call) each.isOver = true;
    return this.list.find((each) => each.call === call)?.errors ?? [];
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#end(() => true);
  }

  #watch(call: string, files: readonly FileName[], before: readonly CheckFinding[]): void {
    const { log } = this.#deps;
    const watched: Watched = {
      ...{ call, files, before, until: Date.now() + longest },
      ...{ texts: undefined, found: undefined, isOver: false, timer: undefined },
    };
    this.#watched = [...this.#watched, watched];
    this.#settle(watched);
    this.#textsOf(watched)
      .then((texts) => {
        watched.texts = texts;
      })
      .catch((error: unknown) => log.error("A file could not be read after it was written.", error));
  }

  #settle(each: Watched): void {
    clearTimeout(each.timer);
    each.timer = setTimeout(
      () => {
        this.#look(each).catch((error: unknown) =>
          this.#deps.log.error("The errors of a file could not be read.", error),
        );
      },
      Math.max(0, Math.min(settled, each.until - Date.now())),
    );
    each.timer.unref();
  }

  async #look(each: Watched): Promise<void> {
    // What somebody has typed meanwhile may be what is wrong.
    if (!(await this.#isSame(each))) return this.#end((one) => one === each);
    each.found = newFindings(each.before, this.#errorsIn(each.files));
    this.#changed.fire();
  }

  #hear(): void {
    for (const each of this.#watched) {
      if (!each.isOver && Date.now() < each.until) this.#settle(each);
      else if (each.found !== undefined && this.#shrink(each)) this.#changed.fire();
    }
  }

  /** What is still there, where it stands now. */
  #shrink(each: Watched): boolean {
    const { found = [] } = each;
    const now = this.#errorsIn(each.files);
    const others = new Set(newFindings(found, now));
    const still = now.filter((error) => !others.has(error));
    const isOther = JSON.stringify(still) !== JSON.stringify(found);
    if (isOther) each.found = still;
    return isOther;
  }

  async #isSame(each: Watched): Promise<boolean> {
    const now = await this.#textsOf(each);
    return now.every((text, at) => text === each.texts?.[at]);
  }

  #textsOf({ files }: Watched): Promise<readonly string[]> {
    const { workspace } = this.#deps;
    return Promise.all(
      files.map(async (file) => {
        const reading = await workspace.read(file);
        return reading.kind === "text" ? reading.text : "";
      }),
    );
  }

  #errorsIn(files: readonly FileName[]): readonly CheckFinding[] {
    const { workspace, nameOf } = this.#deps;
    return files.flatMap((file) =>
      workspace
        .problems(file)
        .filter(({ severity }) => severity === "error")
        .map(({ line, column, message, code }) => ({
          path: nameOf(file),
          ...{ line, column, text: message.slice(0, mostLetters) },
          ...(code !== undefined && { code }),
        })),
    );
  }

  #end(isOver: (each: Watched) => boolean): void {
    for (const each of this.#watched.filter(isOver)) clearTimeout(each.timer);
    this.#watched = this.#watched.filter((each) => !isOver(each));
  }
}

const keyOf = ({ folder, path }: FileName): string => `${folder}\0${path}`;

/** For the model, one line each. */
export function errorLines(errors: readonly CheckFinding[]): string {
  const lines = errors
    .slice(0, mostTold)
    .map(({ path, line, column, text, code = "" }) => `${path}:${line}:${column} ${code} ${text}`);
  const more = errors.length - mostTold;
  return [...lines, ...(more > 0 ? [`[${more} more are not shown.]`] : [])].join("\n");
}
