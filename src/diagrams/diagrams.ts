// Draws diagrams for pages in a thread of its own (src/diagrams/internal/diagram-thread.ts). It starts with the first finished diagram
// that somebody sees, draws one after another, of each page in turn, and ends when there was none for a minute. Knows no
// editor.
import { Worker } from "node:worker_threads";
import type { Log } from "../util/log.ts";
import type { Drawing } from "./internal/draw-diagram.ts";

export interface DiagramMessage {
  readonly type: "diagram";
  readonly source: string;
  readonly svg?: string | undefined;
  /** Without `svg`. `time`: it took too long. */
  readonly why?: Extract<Drawing, { why: unknown }>["why"] | "time" | "failed" | undefined;
}

interface DiagramPage {
  post(drawn: DiagramMessage): void;
}

export interface Diagrams {
  draw(source: string, page: DiagramPage): void;
  /** Nothing is drawn for this page any more. */
  leave(page: DiagramPage): void;
  readonly isRunning: boolean;
  close(): Promise<void>;
}

interface DiagramsOptions {
  /** The build of src/diagrams/internal/diagram-thread.ts. */
  readonly file: string;
  readonly log: Log;
  /**
   * Milliseconds. `longest`: for one diagram; the thread is ended then. `shorter`: in its place for a page that had one
   * which took too long.
   */
  readonly idle?: number;
  readonly longest?: number;
  readonly shorter?: number;
}

interface Wanted {
  readonly source: string;
  readonly pages: Set<DiagramPage>;
}

export function createDiagrams(options: DiagramsOptions): Diagrams {
  const { file, log, idle = 60_000, longest = 10_000, shorter = 2_000 } = options;
  /** In the thread. */
  let current: Wanted | undefined;
  let waiting: Wanted[] = [];
  /** When each page had its last turn. */
  const turns = new WeakMap<DiagramPage, number>();
  let turn = 0;
  const slow = new WeakSet<DiagramPage>();
  let worker: Worker | undefined;
  let ending: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;

  return {
    draw(source, page) {
      clearTimeout(ending);
      const same = [current, ...waiting].find((each) => each?.source === source);
      if (same === undefined) waiting.push({ source, pages: new Set([page]) });
      else same.pages.add(page);
      if (current === undefined) begin();
    },
    leave(page) {
      for (const { pages } of waiting) pages.delete(page);
      waiting = waiting.filter(({ pages }) => pages.size > 0);
    },
    get isRunning() {
      return worker !== undefined;
    },
    close() {
      waiting = [];
      current = undefined;
      return stop();
    },
  };

  function begin(): void {
    const lastTurn = ({ pages }: Wanted) =>
      [...pages]
        .map((page) => turns.get(page) ?? 0)
        .reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
    const next = waiting.toSorted((one, other) => lastTurn(one) - lastTurn(other))[0];
    current = next;
    if (next === undefined) {
      ending = setTimeout(() => void stop(), idle).unref();
      return;
    }
    waiting = waiting.filter((each) => each !== next);
    turn += 1;
    for (const page of next.pages) turns.set(page, turn);
    worker ??= start();
    worker.postMessage(next.source);
    const most = [...next.pages].every((page) => slow.has(page)) ? Math.min(shorter, longest) : longest;
    watching = setTimeout(() => {
      log.warn("A diagram took too long to draw; its thread was ended.");
      for (const page of next.pages) slow.add(page);
      answer({ why: "time" });
    }, most).unref();
  }

  function start(): Worker {
    const started = new Worker(file, {
      ...{ env: {}, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    started.unref();
    started.on("message", (drawing: Drawing) => started === worker && answer(drawing));
    started.on("error", (error) => log.error("The thread that draws diagrams has failed.", error));
    started.on("exit", () => {
      if (started !== worker) return;
      worker = undefined;
      if (current !== undefined) answer({ why: "failed" });
    });
    return started;
  }

  function answer(drawing: Drawing | { readonly why: "time" | "failed" }): void {
    clearTimeout(watching);
    const done = current;
    if (done === undefined) return;
    if ("why" in drawing && drawing.why === "time") void stop();
    for (const page of done.pages) page.post({ type: "diagram", source: done.source, ...drawing });
    begin();
  }

  async function stop(): Promise<void> {
    clearTimeout(ending);
    clearTimeout(watching);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }
}
