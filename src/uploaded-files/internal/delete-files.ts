// Deletes many uploaded files at the service, a few at once, and stops where all others would fail too.
import { message } from "../../conversation/messages.ts";
import type { Problem, ProblemKind } from "../../conversation/problem.ts";
import type { DeleteOutcome } from "../../service/request.ts";

export interface FileOutcome {
  readonly id: string;
  /**
   * `gone`: it existed, the response to an earlier attempt was lost, and now it does not exist; as good as deleted.
   * `not-found`: it did not exist. `unsure`: aborted while the service was working on it. `not-tried`: nothing was
   * sent.
   */
  readonly outcome: "deleted" | "gone" | "not-found" | "failed" | "unsure" | "not-tried";
  readonly problem?: Problem;
}

export interface DeleteProgress {
  readonly total: number;
  /** Number of finished files; the outcomes add up to it. */
  readonly done: number;
  readonly running: readonly string[];
  readonly outcomes: Readonly<Record<FileOutcome["outcome"], number>>;
  /** The file that has just finished, if that caused the report. */
  readonly ended?: FileOutcome;
}

interface DeleteDeps {
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
}

const atOnce = 4;

/** After this many network failures in a row, assume that the service cannot be reached. */
const maxInARow = 5;

/** Problems that would affect every other file, too. */
const forAll: ReadonlySet<ProblemKind> = new Set([
  "auth",
  "no-key",
  "not-configured",
  "quota",
  "busy",
  "redirect",
]);

const onTheWay: ReadonlySet<ProblemKind> = new Set(["network", "timeout"]);

/** After these problems, the file may have been deleted although no response confirmed it. */
const mayHaveWorked: ReadonlySet<ProblemKind> = new Set(["network", "timeout", "server", "protocol"]);

/**
 * Deletes many files, a few at a time, and reports what is known about each. Deletion is permanent, so nothing is
 * reported as deleted without confirmation from the service, and no file is deleted twice in parallel.
 */
export class DeleteMany {
  readonly #needs: DeleteDeps;
  /** Shared by all deletions in this window. */
  readonly #running = new Map<string, Promise<FileOutcome>>();
  readonly #unsure = new Set<string>();

  constructor(deps: DeleteDeps) {
    this.#needs = deps;
  }

  /** Resolves with one outcome per id, in order; duplicate ids count once. Never rejects. */
  async run(
    ids: readonly string[],
    onProgress: (progress: DeleteProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly FileOutcome[]> {
    const wanted = [...new Set(ids)];
    const job = new Job(wanted.length, onProgress);
    const left = wanted.values();
    const worker = async () => {
      for (const id of left) {
        const stop = job.stopped;
        if (stop !== undefined || signal.aborted)
          job.end({ id, outcome: "not-tried", ...(stop && { problem: stop }) });
        else job.end(await job.watch(id, this.#delete(id, signal)));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return wanted.map((id) => job.ended.get(id) ?? { id, outcome: "not-tried" });
  }

  /**
   * An earlier window aborted the deletion or lost its response. If the file does not exist now, that deletion succeeded.
   */
  suspect(ids: readonly string[]): void {
    for (const id of ids) this.#unsure.add(id);
  }

  #delete(id: string, signal: AbortSignal): Promise<FileOutcome> {
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const started = this.#ask(id, signal).finally(() => this.#running.delete(id));
    this.#running.set(id, started);
    return started;
  }

  async #ask(id: string, signal: AbortSignal): Promise<FileOutcome> {
    const { status, problem, denied } = await this.#needs.deleteFile(id, signal).catch(() => bug);
    if (status === "failed" && signal.aborted) {
      this.#unsure.add(id);
      return { id, outcome: "unsure" };
    }
    if (denied) this.#unsure.delete(id);
    else if (status === "failed" && problem !== undefined && mayHaveWorked.has(problem.kind))
      this.#unsure.add(id);
    // An earlier attempt deleted it, but its response was lost. The result is what was wanted.
    if (status === "not-found" && this.#unsure.has(id)) return { id, outcome: "gone" };
    return { id, outcome: status, ...(problem && { problem }) };
  }
}

/** One run: what is finished, what is not, and whether continuing makes sense. */
class Job {
  readonly ended = new Map<string, FileOutcome>();
  readonly #total: number;
  readonly #onProgress: (progress: DeleteProgress) => void;
  readonly #running = new Set<string>();
  readonly #outcomes = { deleted: 0, gone: 0, "not-found": 0, failed: 0, unsure: 0, "not-tried": 0 };
  #inARow = 0;
  /** Why nothing more is sent. */
  stopped: Problem | undefined;

  constructor(total: number, onProgress: (progress: DeleteProgress) => void) {
    this.#total = total;
    this.#onProgress = onProgress;
  }

  async watch(id: string, work: Promise<FileOutcome>): Promise<FileOutcome> {
    this.#running.add(id);
    this.#tell();
    const outcome = await work;
    this.#running.delete(id);
    return outcome;
  }

  end(outcome: FileOutcome): void {
    this.ended.set(outcome.id, outcome);
    this.#outcomes[outcome.outcome] += 1;
    const { problem } = outcome;
    const kind = outcome.outcome === "failed" ? problem?.kind : undefined;
    this.#inARow = kind !== undefined && onTheWay.has(kind) ? this.#inARow + 1 : 0;
    if (kind !== undefined && (forAll.has(kind) || this.#inARow >= maxInARow)) this.stopped ??= problem;
    this.#tell(outcome);
  }

  #tell(ended?: FileOutcome): void {
    const { size: done } = this.ended;
    this.#onProgress({
      total: this.#total,
      done,
      running: [...this.#running],
      outcomes: { ...this.#outcomes },
      ...(ended && { ended }),
    });
  }
}

const bug: DeleteOutcome = {
  status: "failed",
  problem: { kind: "bug", message: message("problemWrong"), actions: ["open-log"] },
};
