// What a long day leaves behind in the real window: in the extension host, in the page of the chat, on the disk. Taken with
// an empty conversation in sight and nothing running. Linux, where a process can be looked at from outside.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { growing } from "../support/growing-figures.ts";
import { extensionHosts } from "../ui/support/extension-host.ts";
import type { VsCode } from "../ui/support/vscode.ts";

/** What the extension beside ours says of the host that both run in. */
interface HostFigures {
  /** In bytes, with what lies outside of the heap, after garbage was collected. */
  readonly heap: number;
  readonly timers: number;
  /** Of signals and other targets of events. */
  readonly listeners: number;
  readonly workers: number;
}

export interface SoakFigures extends HostFigures {
  /** Of the host, in bytes. */
  readonly resident: number;
  readonly threads: number;
  readonly descriptors: number;
  readonly children: number;
  /** Of the page. */
  readonly nodes: number;
  readonly pageListeners: number;
  readonly pageHeap: number;
  /** Of all that we keep, in bytes. */
  readonly disk: number;
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

/** What stands above each figure, and how it is told. */
const columns: readonly (readonly [string, (figures: SoakFigures, turns: number) => string | number])[] = [
  ["turns", (_, turns) => turns],
  ["host MB", ({ heap }) => megabytes(heap)],
  ["resident", ({ resident }) => megabytes(resident)],
  ["timers", ({ timers }) => timers],
  ["listeners", ({ listeners }) => listeners],
  ["open files", ({ descriptors }) => descriptors],
  ["threads", ({ threads }) => threads],
  ["workers", ({ workers }) => workers],
  ["children", ({ children }) => children],
  ["page MB", ({ pageHeap }) => megabytes(pageHeap)],
  ["nodes", ({ nodes }) => nodes],
  ["of page", ({ pageListeners }) => pageListeners],
  ["disk KB/turn", ({ disk }, turns) => (disk / 1024 / turns).toFixed(1)],
];

const inLine = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padStart((columns[at]?.[0].length ?? 0) + 2)).join("");

export const headOfTable = (): string => inLine(columns.map(([name]) => name));

export const rowOfTable = (turns: number, figures: SoakFigures): string =>
  inLine(columns.map(([, tell]) => tell(figures, turns)));

/** By how much the last third may lie above the middle one: what a collection of garbage, a socket or a file more makes of it. */
const room: Readonly<Record<Exclude<keyof SoakFigures, "resident" | "disk">, number>> = {
  heap: 3 * 2 ** 20,
  pageHeap: 3 * 2 ** 20,
  nodes: 100,
  pageListeners: 100,
  timers: 6,
  listeners: 15,
  descriptors: 6,
  threads: 3,
  workers: 1,
  children: 1,
};

/** The browser keeps one for each text that was typed, in a box or in the palette, so that it can be typed again by Redo. */
const nodesOfTyped = 2;

/** One sentence for each figure that grows; nothing can be said of few looks. `every` so many turns there was one. */
export function grown(series: readonly SoakFigures[], every: number): string[] {
  const withoutTyped = series.map((figures, at) => ({
    ...figures,
    nodes: figures.nodes - nodesOfTyped * every * at,
  }));
  return growing(withoutTyped, room);
}

type Place = Pick<VsCode, "page" | "chat" | "workspace">;

let asked = 0;

/** Asks the extension beside ours: test/soak/beside. */
export async function askHost(workspace: string, what: "figures"): Promise<HostFigures>;
export async function askHost(workspace: string, what: "end-workers"): Promise<{ readonly ended: number }>;
export async function askHost(workspace: string, what: string): Promise<unknown> {
  const folder = join(dirname(workspace), "asked");
  mkdirSync(folder, { recursive: true });
  const name = join(folder, String(asked++));
  writeFileSync(`${name}.ask`, what);
  while (!existsSync(`${name}.answer`)) await wait(100);
  return JSON.parse(readFileSync(`${name}.answer`, "utf8"));
}

export async function takeFigures({ page, chat, workspace }: Place): Promise<SoakFigures> {
  const host = hostOf(workspace);
  const fromHost = await askHost(workspace, "figures");
  return {
    ...fromHost,
    ...fromOutside(host),
    ...(await ofPage({ page, chat })),
    disk: bytesBelow(storageOf(workspace)),
  };
}

export const storageOf = (workspace: string): string =>
  join(dirname(workspace), "user/User/globalStorage/patchbay.patchbay");

export function hostOf(workspace: string): number {
  // What the host has begun to start is called like the host until it is a program of its own.
  const found = extensionHosts(workspace).filter(
    (pid, _, all) => !all.some((other) => childrenOf(other).includes(pid)),
  );
  const [host] = found;
  if (host === undefined || found.length > 1) throw new Error(`There are ${found.length} extension hosts.`);
  return host;
}

/** Children of a process, and theirs. */
export function childrenOf(pid: number): number[] {
  const own = listed(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}

function fromOutside(pid: number): Pick<SoakFigures, "resident" | "threads" | "descriptors" | "children"> {
  const status = read(`/proc/${pid}/status`);
  const number = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1]);
  return {
    resident: number("VmRSS") * 1024,
    threads: number("Threads"),
    descriptors: listed(`/proc/${pid}/fd`).length,
    children: childrenOf(pid).length,
  };
}

/** The page of the chat may share its process with the window around it, and is counted with it then. */
async function ofPage({
  page,
  chat,
}: Pick<Place, "page" | "chat">): Promise<Pick<SoakFigures, "nodes" | "pageListeners" | "pageHeap">> {
  const root = await chat.locator("html").elementHandle();
  const frame = await root?.ownerFrame();
  if (frame === undefined || frame === null) throw new Error("The chat is not there.");
  const context = page.context();
  const engine = await context.newCDPSession(frame).catch(() => context.newCDPSession(page));
  await engine.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners: pageListeners } = await engine.send("Memory.getDOMCounters");
  const { usedSize: pageHeap } = await engine.send("Runtime.getHeapUsage");
  await engine.detach();
  return { nodes, pageListeners, pageHeap };
}

function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Nothing where the process has just ended, or is somebody else's. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
