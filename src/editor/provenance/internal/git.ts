// Git as a program for what VS Code's Git extension does not offer: objects, notes and the origin of one line. Only
// commands run that read or write objects, without anything that a repository's configuration could run.
import { spawn } from "node:child_process";
import { harmlessGitArguments, harmlessGitEnvironment } from "../../../util/harmless-git.ts";
import { notesRef } from "./authorship-log.ts";

export interface Repository {
  /** The program, as the editor found it. */
  readonly git: string;
  readonly root: string;
}

const switchedOff = [...harmlessGitArguments, "-c", "blame.ignoreRevsFile="];

const seconds = 20;
const maxBytes = 64 * 1024 * 1024;

interface Ran {
  readonly code: number | null;
  readonly out: Buffer;
  readonly error: string;
}

interface RunOptions {
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects if git could not be started, took too long or wrote too much. */
function run({ git, root }: Repository, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  return new Promise((resolve, reject) => {
    const child = spawn(git, [...switchedOff, ...args], {
      ...{ cwd: root, env: harmlessGitEnvironment(), signal, windowsHide: true },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const out: Buffer[] = [];
    let [bytes, error] = [0, ""];
    child.stdout.on("data", (data: Buffer) => {
      bytes += data.length;
      if (bytes <= maxBytes) return void out.push(data);
      child.kill();
      reject(new Error(`git ${args[0]} wrote more than ${maxBytes} bytes.`));
    });
    child.stderr.on("data", (data: Buffer) => {
      if (error.length < 4000) error += data.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out), error: error.trim() }));
    // A program that ends early does not read the rest; its exit code tells.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}

async function read(repository: Repository, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, out, error } = await run(repository, args, options);
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${error}`);
  return out.toString("utf8");
}

const isObjectName = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** The commit that holds the notes; `undefined` if there are none. */
export async function notesTip(repository: Repository, signal?: AbortSignal): Promise<string | undefined> {
  const { code, out } = await run(repository, ["rev-parse", "--verify", "--quiet", `${notesRef}^{commit}`], {
    signal,
  });
  return code === 0 ? out.toString("utf8").trim() : undefined;
}

/** The object that holds the note of a commit. */
async function noteOf(repository: Repository, commit: string): Promise<string | undefined> {
  if (!isObjectName(commit)) return undefined;
  const { code, out } = await run(repository, ["notes", `--ref=${notesRef}`, "list", commit]);
  return code === 0 ? out.toString("utf8").trim() : undefined;
}

/** `undefined`: there is none, or it is longer. */
export async function readNote(
  repository: Repository,
  commit: string,
  longest: number,
): Promise<string | undefined> {
  const object = await noteOf(repository, commit);
  return object === undefined ? undefined : (await readTexts(repository, [object], longest))[0];
}

/**
 * The contents of these objects, by name or as `commit:path`; `undefined` for one that is missing, longer or binary.
 */
export async function readTexts(
  repository: Repository,
  names: readonly string[],
  longest: number,
): Promise<readonly (string | undefined)[]> {
  const sizes = await read(
    repository,
    ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"],
    {
      input: names.map((name) => `${name}\n`).join(""),
    },
  );
  const objects = sizes.split("\n").map((line) => {
    const [, object, size] = /^([0-9a-f]{40,64}) (?:blob|commit) (\d+)$/.exec(line) ?? [];
    return object === undefined || Number(size) > longest ? undefined : object;
  });
  const texts: (string | undefined)[] = [];
  for (const [at] of names.entries()) {
    const object = objects[at];
    const ran = object === undefined ? undefined : await run(repository, ["cat-file", "-p", object]);
    const isText = ran?.code === 0 && !ran.out.includes(0);
    texts.push(isText ? ran.out.toString("utf8") : undefined);
  }
  return texts;
}

export interface Commit {
  readonly id: string;
  readonly parent: string | undefined;
  /** `Name <email>`. */
  readonly committer: string;
}

/**
 * The commits that `to` has and `from` has not, oldest first, without merges; all of them without `from`. Many are none:
 * somebody has pulled.
 */
export async function newCommits(
  repository: Repository,
  from: string | undefined,
  to: string,
  most: number,
): Promise<readonly Commit[]> {
  if (![from ?? to, to].every(isObjectName)) return [];
  const listed = await read(repository, [
    ...["rev-list", "--first-parent", "--reverse", `--max-count=${most + 1}`, to],
    ...(from === undefined ? [] : [`^${from}`]),
  ]);
  const ids = listed.split("\n").filter(isObjectName);
  if (ids.length > most) return [];
  const texts = await readTexts(repository, ids, 1024 * 1024);
  return ids.flatMap((id, at) => {
    const head = texts[at]?.split("\n\n", 1)[0] ?? "";
    const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = ""]) => parent);
    const committer = /^committer (.*) \d+ [+-]\d{4}$/m.exec(head)?.[1];
    return committer === undefined || parents.length > 1 ? [] : [{ id, parent: parents[0], committer }];
  });
}

/** `Name <email>` of the person, as git would write it into a commit. */
export async function personOf(repository: Repository): Promise<string> {
  const ident = await read(repository, ["var", "GIT_COMMITTER_IDENT"]);
  return ident.trim().replace(/ \d+ [+-]\d{4}$/, "");
}

/** The files that a commit has added or changed, as paths in the repository. */
export async function filesIn(repository: Repository, { id }: Commit): Promise<readonly string[]> {
  const names = await read(repository, [
    ...[
      "diff-tree",
      "-r",
      "-z",
      "--root",
      "--no-commit-id",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
    ],
    ...["--name-only", "--diff-filter=AM", id],
  ]);
  return names.split("\0").filter((name) => name !== "");
}

/** Adds a note to a commit that has none, also if another window has added one meanwhile. Returns whether it was added. */
export async function addNote(repository: Repository, { id }: Commit, note: string): Promise<boolean> {
  return tryToAddNote(repository, id, note).catch(() => tryToAddNote(repository, id, note));
}

/** `git fast-import` writes it, because it refuses to move a ref that another program has moved meanwhile. */
async function tryToAddNote(repository: Repository, id: string, note: string): Promise<boolean> {
  const tip = await notesTip(repository);
  if ((await noteOf(repository, id)) !== undefined) return false;
  const said = "Notes added by Patchbay\n";
  const input = [
    ...[`commit ${notesRef}`, `committer ${await personOf(repository)} now`],
    ...[`data ${Buffer.byteLength(said)}`, said],
    ...(tip === undefined ? [] : [`from ${tip}`]),
    ...[`N inline ${id}`, `data ${Buffer.byteLength(note)}`, note, "done", ""],
  ].join("\n");
  await read(repository, ["fast-import", "--quiet", "--done", "--date-format=now"], { input });
  return true;
}

interface LineOrigin {
  readonly commit: string;
  /** From 1, in the file as that commit has it. */
  readonly line: number;
  readonly path: string;
}

/** Where a line of a committed file comes from. */
export async function originOfLine(
  repository: Repository,
  at: LineOrigin,
  signal?: AbortSignal,
): Promise<LineOrigin | undefined> {
  const range = `${at.line},${at.line}`;
  const args = ["blame", "--porcelain", "--no-textconv", "-L", range, at.commit, "--", at.path];
  const { code, out } = await run(repository, args, { signal });
  const said = out.toString("utf8");
  const [, commit, line] = /^([0-9a-f]{40,64}) (\d+) /.exec(said) ?? [];
  const path = /^filename (.*)$/m.exec(said)?.[1];
  if (code !== 0 || commit === undefined || path === undefined || path.startsWith('"')) return undefined;
  return { commit, line: Number(line), path };
}
