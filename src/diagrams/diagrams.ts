// Draws diagrams for pages in a thread of its own (src/diagrams/internal/diagram-thread.ts). It starts with the first finished diagram
// that somebody sees, draws one after another, and ends when there was none for a minute. Knows no editor.
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
  /** Milliseconds. `longest`: for one diagram; the thread is ended then. */
  readonly idle?: number;
  readonly longest?: number;
}

interface Wanted {
  readonly source: string;
  readonly page: DiagramPage;
}

export function createDiagrams({ file, log, idle = 60_000, longest = 10_000 }: DiagramsOptions): Diagrams {
  /** The first one is in the thread. */
  let wanted: Wanted[] = [];
  let worker: Worker | undefined;
  let ending: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;

  return {
    draw(source, page) {
      clearTimeout(ending);
      wanted.push({ source, page });
      if (wanted.length === 1) begin();
    },
    leave(page) {
      wanted = wanted.filter((each, index) => index === 0 || each.page !== page);
    },
    get isRunning() {
      return worker !== undefined;
    },
    close() {
      wanted = [];
      return stop();
    },
  };

  function begin(): void {
    const [next] = wanted;
    if (next === undefined) {
      ending = setTimeout(() => void stop(), idle).unref();
      return;
    }
    worker ??= start();
    worker.postMessage(next.source);
    watching = setTimeout(() => {
      log.warn("A diagram took too long to draw; its thread was ended.");
      answer({ why: "time" });
    }, longest).unref();
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
      if (wanted.length > 0) answer({ why: "failed" });
    });
    return started;
  }

  function answer(drawing: Drawing | { readonly why: "time" | "failed" }): void {
    clearTimeout(watching);
    const done = wanted.shift();
    if ("why" in drawing && drawing.why === "time") void stop();
    done?.page.post({ type: "diagram", source: done.source, ...drawing });
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
