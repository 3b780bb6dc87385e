// Prints what it takes to search a real repository of 60,000 files, beside the bare ripgrep that VS Code brings, run on
// the same query with the same ignore rules – what VS Code's own search runs –, and whether the lines are the same. Time
// by the clock; processor time of this process and of the programs that it started, which other work beside it changes
// little; and the longest stretch that nothing else moved in this process.
// Fails nothing. Other rows of a large workspace go into `rows`.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guardFiles } from "../../src/files/guarded-files.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import { listFiles } from "../../src/tools/internal/list-files.ts";
import { searchText } from "../../src/tools/internal/search-text.ts";
import { findRipgrep } from "../../src/tools/ripgrep.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { callContext } from "../support/call-context.ts";
import { threadTime } from "../support/thread-time.ts";
import { diskWorld } from "./support/disk-world.ts";
import { largeRepository } from "./support/large-repository.ts";
import { typeQueries } from "./support/typed-suggestions.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const never = new AbortController().signal;

interface Row {
  readonly name: string;
  readonly ours: (world: Workspace) => Promise<string>;
  /** Arguments of ripgrep that ask for the same. */
  readonly bare?: readonly string[];
}

async function use(world: Workspace, tool: Tool, input: object): Promise<string> {
  const files = guardFiles(world, () => ({ ignore: [], alsoIgnore: [] }));
  const context = { ...callContext(files), workspace: world };
  return (await tool.prepare(JSON.stringify(input)).run(context, never)).output;
}

const search = (input: {
  query: string;
  regex?: boolean;
  case_sensitive?: boolean;
  path?: string;
  pattern?: string;
}): Row => {
  const { query, regex = false, case_sensitive: exact = false, path = "", pattern } = input;
  const bare = [
    ...(regex ? [] : ["-F"]),
    ...(exact ? [] : ["-i"]),
    ...(pattern === undefined ? [] : ["-g", pattern]),
  ];
  return {
    name: `${regex ? `/${query}/` : `“${query}”`}${exact ? "" : " i"} ${path} ${pattern ?? ""}`,
    ours: (world) => use(world, searchText, input),
    bare: [...bare, "-e", query, "--", `./${path}`],
  };
};

const rows: readonly Row[] = [
  search({ query: "createContext" }),
  search({ query: "createContext", case_sensitive: true }),
  search({ query: "nobodyWroteThisAnywhere" }),
  search({ query: "lastNeedleOfTheLog" }),
  search({ query: "e" }),
  search({ query: "import .* from ['\"]react['\"];$", regex: true, case_sensitive: true }),
  search({ query: "\\bfunction\\s+debounce\\b", regex: true }),
  search({ query: "TODO|FIXME", regex: true, case_sensitive: true }),
  search({ query: "[A-Z]{4}_[0-9]{5}x", regex: true, case_sensitive: true }),
  search({ query: "^export default class \\w+Error", regex: true, case_sensitive: true }),
  search({ query: "useCallback(", path: "packages/antd" }),
  search({ query: "createContext", pattern: "*.ts" }),
  { name: "list_files, all", ours: (world) => use(world, listFiles, {}) },
  {
    name: "list_files *.wasm",
    ours: (world) => use(world, listFiles, { pattern: "*.wasm" }),
    bare: ["--files", "-g", "*.wasm"],
  },
];

interface Cost {
  readonly milliseconds: number;
  readonly processor: number;
  readonly stretch: number;
}

/** Of programs that have ended, in milliseconds; the kernel counts hundredths of a second. Nothing where it does not tell. */
function processorOfPrograms(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(14, 16).map(Number);
  return (user + system) * 10;
}

async function measure<T>(work: () => Promise<T>): Promise<Cost & { readonly result: T }> {
  let [last, stretch] = [threadTime(), 0];
  const timer = setInterval(() => {
    const now = threadTime();
    stretch = Math.max(stretch, now - last);
    last = now;
  }, 1);
  const [used, programs, began] = [process.cpuUsage(), processorOfPrograms(), performance.now()];
  const result = await work();
  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  clearInterval(timer);
  const processor = (user + system) / 1000 + processorOfPrograms() - programs;
  return { result, milliseconds, processor, stretch };
}

const ignoring = [
  "--no-ignore-global",
  "--no-ignore-parent",
  "--no-ignore-exclude",
  "--no-ignore-dot",
  "--no-require-git",
];
const sameFiles = ["--no-config", "--hidden", "-g", "!**/node_modules", "-g", "!**/.git", ...ignoring];

function bare(program: string, cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const options = ["-n", "--no-heading", "--color=never", ...sameFiles];
    const child = spawn(program, [...options, ...args], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.setEncoding("latin1").on("data", (piece: string) => {
      // Only so much is looked at: the rest of six million lines is no news.
      if (text.length < 50_000_000) text += piece;
    });
    child.once("close", () => resolve(text));
  });
}

/** `path:line` of each line of ripgrep. */
const placesOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => /^(?:\.\/)?(.+?:\d+):/.exec(line)?.[1] ?? []);

/** The same of ours, where the path stands once. */
const ourPlaces = (text: string): string[] =>
  text.split("\n\n").flatMap((block) => {
    const [path, ...lines] = block.split("\n");
    return lines.flatMap((line) => (/^\d+:/.test(line) ? `${path}:${Number.parseInt(line, 10)}` : []));
  });

function compare(ours: string, theirs: string): string {
  const [mine, all] = [ourPlaces(ours), new Set(placesOf(theirs))];
  const wrong = mine.filter((place) => !all.has(place));
  const isCut = /^\[(?:Only the first|\d+ more match)/m.test(ours);
  const missing = isCut ? [] : [...all].filter((place) => !mine.includes(place));
  const told = `${mine.length}${isCut ? " (cut, told)" : ""} of ${all.size}`;
  return wrong.length + missing.length === 0
    ? `same lines: ${told}`
    : `${told}; not theirs: ${wrong.slice(0, 2)}; missing: ${missing.length} ${missing.slice(0, 2)}`;
}

const figure = (number: number): string => number.toFixed(0).padStart(6);

async function run(root: string, program: string): Promise<void> {
  const world = diskWorld(root, program);
  await bare(program, root, ["-e", "warm", "--", "./"]);
  print("query | bare ripgrep ms, its processor ms | ours ms, processor ms, longest stretch ms | lines");
  for (const { name, ours, bare: args } of rows) {
    const peer = args === undefined ? undefined : await measure(() => bare(program, root, args));
    const first = await measure(() => ours(world));
    const again = await measure(() => ours(world));
    const best = first.milliseconds < again.milliseconds ? first : again;
    const stretch = Math.max(first.stretch, again.stretch);
    const same = peer === undefined || args?.includes("--files") ? "" : compare(best.result, peer.result);
    const notes = best.result
      .split("\n")
      .filter((line) => /^\[(?!Files on|\d+ characters)/.test(line))
      .join(" ");
    print(
      [
        name.padEnd(50),
        figure(peer?.milliseconds ?? 0),
        figure(peer?.processor ?? 0),
        figure(best.milliseconds),
        figure(best.processor),
        figure(stretch),
        same,
        notes.slice(0, 200),
      ].join(" | "),
    );
  }
}

const typed = [
  "button",
  "src/com",
  "useCallback",
  "lodash/map",
  "index",
  " node/inspect",
  " zzzqqq",
  " a/b/c/d/e",
];

async function runTyped(root: string, program: string): Promise<void> {
  const find = () =>
    bare(program, root, ["--files"]).then((text) => text.split("\n").filter((line) => line !== ""));
  const { finding, listing, keys } = await typeQueries(root, typed, find);
  print("\nafter @ | ms | processor ms of this thread | suggestions");
  print(`${"found by the program that findFiles runs".padEnd(50)} | ${figure(finding)}`);
  print(`${"first answer, nothing known before".padEnd(50)} | ${figure(listing)}`);
  for (const { query, milliseconds, processor, count } of keys)
    print(
      [query.padEnd(50), milliseconds.toFixed(1).padStart(6), processor.toFixed(1).padStart(6), count].join(
        " | ",
      ),
    );
}

const server = process.env["PATCHBAY_VSCODE_TEST"] ?? join(process.cwd(), ".vscode-test");
const program = await findRipgrep(join(server, "server"));
if (program === undefined) print("This bench needs the ripgrep of VS Code; npm run test:host fetches it.");
else {
  const [root, only] = [largeRepository(), process.argv[2]];
  if (only !== "--typed") await run(root, program);
  await runTyped(root, program);
}
