// Colours code of pages in a separate thread (internal/colour-thread.ts). The thread starts with the first code block that
// a page shows, and ends when none has been visible for a minute or no page is left. Knows no editor.
import { Worker } from "node:worker_threads";
import type { Log } from "../util/log.ts";
import type { ColourAnswer, ColourTask, ThemeTask } from "./internal/colour-session.ts";
import type { Contribution } from "./internal/grammar-table.ts";

/** Lines that a page wants coloured. */
interface WantedLines {
  /** The number of the block among all of the page's blocks. */
  readonly block: number;
  /** The colour table that the page has. */
  readonly table: number;
  readonly language: string;
  readonly from: number;
  readonly lines: readonly string[];
  readonly isEnd: boolean;
}

export type ColourMessage =
  /** Without `colours`, this module colours nothing and the page uses its own highlighter. */
  | { readonly type: "code-table"; readonly table: number; readonly colours?: string[] | undefined }
  | { readonly type: "code-lines"; readonly block: number; readonly from: number; readonly runs: number[][] }
  | { readonly type: "code-none"; readonly block: number; readonly isLost: boolean };

interface ColourPage {
  post(news: ColourMessage): void;
}

/** Grammars and themes from the editor; read whenever a thread starts and after each change. */
interface ColourSource {
  contributions(): readonly Contribution[];
  /** Returns `undefined` if this process cannot read the theme's location. */
  theme(id: string): Omit<ThemeTask, "type" | "table"> | undefined;
}

export interface Colouring {
  /** Code is visible in this page, under this theme; `undefined`: none is visible any more. */
  show(theme: string | undefined, page: ColourPage): void;
  colour(wanted: WantedLines, page: ColourPage): void;
  leave(page: ColourPage): void;
  /** Call this when the theme, its customizations or the grammars have changed. */
  sourceChanged(what: "theme" | "grammars"): void;
  readonly isRunning: boolean;
  close(): Promise<void>;
}

interface ColouringOptions {
  /** The build of internal/colour-thread.ts, and onig.wasm. */
  readonly file: string;
  readonly engine: string;
  readonly source: ColourSource;
  readonly log: Log;
  /**
   * Milliseconds. `idle`: how long to run without a visible block; `longest`: how long to wait for a reply before
   * terminating the thread.
   */
  readonly idle?: number;
  readonly longest?: number;
}

/** After this many crashes, code is left to the page. */
const mostDeaths = 3;

export function createColouring(options: ColouringOptions): Colouring {
  const { source, log, idle = 60_000, longest = 30_000 } = options;
  /** Pages and the prefixes of their block ids. */
  const names = new Map<ColourPage, string>();
  const inSight = new Set<ColourPage>();
  /** Blocks that wait for a reply, oldest first. */
  const waiting = new Map<string, { readonly page: ColourPage; readonly block: number }>();
  let worker: Worker | undefined;
  let theme: string | undefined;
  let table = 0;
  let colours: readonly string[] | undefined;
  let isReady = false;
  let deaths = 0;
  let pages = 0;
  let ending: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;

  return {
    show(shown, page) {
      if (!names.has(page)) names.set(page, String(++pages));
      if (shown === undefined) {
        inSight.delete(page);
        if (inSight.size === 0) endLater();
        return;
      }
      inSight.add(page);
      clearTimeout(ending);
      if (worker === undefined || shown !== theme) begin(shown);
      else if (isReady) page.post(tableNow());
    },
    colour({ block, table: asked, language, from, lines, isEnd }, page) {
      const name = names.get(page);
      if (name === undefined || asked !== table) return;
      // The thread has ended; when it starts again, the page will ask again.
      if (worker === undefined) return;
      const id = `${name}:${block}`;
      const isIdle = isReady && waiting.size === 0;
      waiting.set(id, { page, block });
      send({ type: "lines", table, block: id, language, from, lines, isEnd });
      // Whatever else is wanted meanwhile gives a thread that hangs no more time.
      if (isIdle) watch();
    },
    leave(page) {
      names.delete(page);
      inSight.delete(page);
      if (names.size === 0) void stop();
      else if (inSight.size === 0) endLater();
    },
    sourceChanged(what) {
      if (worker === undefined || theme === undefined) return;
      if (what === "grammars") send({ type: "grammars", contributions: source.contributions() });
      begin(theme);
    },
    get isRunning() {
      return worker !== undefined;
    },
    close: stop,
  };

  function begin(shown: string): void {
    theme = shown;
    const wanted = deaths < mostDeaths ? source.theme(shown) : undefined;
    if (wanted === undefined) {
      leaveToPages();
      return;
    }
    if (worker === undefined) {
      worker = start();
      send({ type: "grammars", contributions: source.contributions() });
    }
    table += 1;
    isReady = false;
    waiting.clear();
    send({ type: "theme", table, ...wanted });
    watch();
  }

  function leaveToPages(): void {
    table += 1;
    colours = undefined;
    isReady = true;
    waiting.clear();
    tellTable();
  }

  function tableNow(): ColourMessage {
    return { type: "code-table", table, ...(colours !== undefined && { colours: [...colours] }) };
  }

  function tellTable(): void {
    for (const page of names.keys()) page.post(tableNow());
  }

  function start(): Worker {
    const workerData = { engine: options.engine };
    const started = new Worker(options.file, {
      ...{ workerData, env: {}, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    // Do not keep a process alive that has nothing else to do.
    started.unref();
    started.on("message", (answer: ColourAnswer) => started === worker && hear(answer));
    started.on("error", (error) => log.error("The thread that colours code has failed.", error));
    started.on("exit", () => {
      if (started === worker) hasDied();
    });
    return started;
  }

  function send(task: ColourTask): void {
    worker?.postMessage(task);
  }

  function hear(answer: ColourAnswer): void {
    if (answer.type === "table" || answer.type === "no-table") {
      if (answer.table !== table) return;
      if (answer.type === "no-table")
        log.warn(`The theme can't be read for the colours of code: ${answer.why}`);
      colours = answer.type === "table" ? answer.colours : undefined;
      isReady = true;
      tellTable();
    } else {
      const asked = waiting.get(answer.block);
      waiting.delete(answer.block);
      if (asked === undefined) return;
      const { page, block } = asked;
      if (answer.type === "lines")
        page.post({ type: "code-lines", block, from: answer.from, runs: answer.runs });
      else page.post({ type: "code-none", block, isLost: answer.why === "lost" });
    }
    watch();
  }

  /** Terminates a thread that does not reply in time: a pattern of a grammar may never end. */
  function watch(): void {
    clearTimeout(watching);
    if (isReady && waiting.size === 0) return;
    watching = setTimeout(() => {
      log.warn("The thread that colours code didn't reply and was ended.");
      void worker?.terminate();
    }, longest);
    watching.unref();
  }

  /** Leaves the block that was being coloured to the page and restarts for the others. */
  function hasDied(): void {
    deaths += 1;
    worker = undefined;
    clearTimeout(watching);
    const [fatal] = waiting.values();
    fatal?.page.post({ type: "code-none", block: fatal.block, isLost: false });
    if (theme !== undefined && inSight.size > 0) begin(theme);
  }

  function endLater(): void {
    clearTimeout(ending);
    ending = setTimeout(() => void stop(), idle);
    ending.unref();
  }

  async function stop(): Promise<void> {
    clearTimeout(ending);
    clearTimeout(watching);
    const ended = worker;
    worker = undefined;
    isReady = false;
    waiting.clear();
    await ended?.terminate();
  }
}
