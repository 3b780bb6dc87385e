// A run of a task on the disk: the folder that is worked in and, beside it, each request as it is to be read and as it was
// sent, the replies, and what came of it. It is how the product and whoever plays meet.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../sim/json.ts";
import type { Player, RelayedRequest } from "./relay.ts";
import { readReply } from "./reply-form.ts";
import { folderName, type Task } from "./task.ts";

/** Outside of this tree, whose own rules for ignored files would hold for what lies in it. */
export const runsFolder = (): string =>
  resolve(process.env["PATCHBAY_LIVE"] ?? join(tmpdir(), "patchbay-live"));

export const runFolder = (name: string): string => join(runsFolder(), name);

export const rootOf = (name: string, task: Task): string => join(runFolder(name), folderName(task));

const fileOf = (name: string, what: "request" | "reply" | "body", number: number): string =>
  join(runFolder(name), `${what}-${number}.${what === "body" ? "json" : "txt"}`);

const numbersOf = (name: string, what: "request" | "reply"): number[] => {
  if (!existsSync(runFolder(name))) return [];
  const files = readdirSync(runFolder(name));
  const numbers = files.flatMap((file) => new RegExp(`^${what}-(\\d+)\\.txt$`).exec(file)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
};

/** Writes a file that nobody sees half of. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** Whoever plays reads and writes the files of this run. */
export function filePlayer(name: string): Player {
  mkdirSync(runFolder(name), { recursive: true });
  return async ({ number, request, fresh }) => {
    put(fileOf(name, "body", number), JSON.stringify(request.body, null, 1));
    put(fileOf(name, "request", number), fresh);
    const file = fileOf(name, "reply", number);
    while (!existsSync(file)) await wait(100);
    return readFileSync(file, "utf8");
  };
}

/** The number of the request that waits. */
export function openRequest(name: string): number | undefined {
  const replied = new Set(numbersOf(name, "reply"));
  return numbersOf(name, "request").find((number) => !replied.has(number));
}

export const requestText = (name: string, number: number): string =>
  readFileSync(fileOf(name, "request", number), "utf8");

/** Lines of a request that are printed: what is longer is read in its file. */
const longestHead = 150;

export function headOfRequest(name: string, number: number): string {
  const lines = requestText(name, number).split("\n");
  if (lines.length <= longestHead) return lines.join("\n");
  const file = fileOf(name, "request", number);
  const rest = `[${lines.length - longestHead} more lines: ${file}, from line ${longestHead + 1}]`;
  return [...lines.slice(0, longestHead), rest].join("\n");
}

/** Whether the product and the relay of this run were still there. */
export function end(name: string): boolean {
  try {
    return process.kill(Number(readFileSync(join(runFolder(name), "pid"), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(ESRCH|ENOENT)$/.test(String(error.code)))
      return false;
    throw error;
  }
}

/** @throws where no request waits, or the reply cannot be read. Answers the number of the request. */
export function say(name: string, reply: string): number {
  const number = openRequest(name);
  if (number === undefined) throw new Error(`No request of ${name} waits.`);
  const body = JSON.parse(readFileSync(fileOf(name, "body", number), "utf8")) as JsonObject;
  if (readReply(reply, body).length === 0) throw new Error("The reply says nothing.");
  put(fileOf(name, "reply", number), reply);
  return number;
}

/** Its requests and replies lie there: a second run would be answered by them. */
export const wasPlayed = (name: string): boolean => numbersOf(name, "request").length > 0;

/** Requests, replies and outcome of the last run; the folder that was worked in stays. */
export function forget(name: string): void {
  const own = /^(?:(?:request|reply|body)-\d+\.(?:txt|json)|report\.json|events\.jsonl|log\.txt|pid)$/;
  for (const file of readdirSync(runFolder(name))) if (own.test(file)) rmSync(join(runFolder(name), file));
}

export const repliesOf = (name: string): string[] =>
  numbersOf(name, "reply").map((number) => readFileSync(fileOf(name, "reply", number), "utf8"));

/** Before it begins: the first requests are replied to. */
export function putReplies(name: string, replies: readonly string[]): void {
  for (const [at, reply] of replies.entries()) put(fileOf(name, "reply", at + 1), reply);
}

/** What came of a run so far. */
export interface RunReport {
  readonly isOver: boolean;
  readonly steps: readonly object[];
  readonly requests: readonly RelayedRequest[];
  readonly refused: readonly string[];
  /** It could not go on. */
  readonly error?: string;
}

const reportFile = (name: string): string => join(runFolder(name), "report.json");

export const writeReport = (name: string, report: RunReport): void =>
  put(reportFile(name), JSON.stringify(report, null, 1));

export const readReport = (name: string): RunReport | undefined =>
  existsSync(reportFile(name))
    ? (JSON.parse(readFileSync(reportFile(name), "utf8")) as RunReport)
    : undefined;

export const noteEvent = (name: string, event: unknown): void =>
  appendFileSync(join(runFolder(name), "events.jsonl"), `${JSON.stringify(event)}\n`);

/** Resolves when each of them asks or is over, or after so many seconds. */
export async function untilAsked(names: readonly string[], seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const rests = (name: string) => openRequest(name) !== undefined || readReport(name)?.isOver === true;
  while (Date.now() < end && !names.every(rests)) await wait(200);
}
