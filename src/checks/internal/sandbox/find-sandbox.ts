// Finds a sandbox that works on this machine, or the reason why none does and how to fix it. Only a sandbox that passes
// a trial is used.

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { forLog } from "../../../util/sentences.ts";
import { createBubblewrap, type OverlayWay, ownEnvironment } from "./bubblewrap.ts";
import { removeTree } from "./remove-tree.ts";
import type { FindSandboxOptions, NoSandboxReason, Sandbox, SandboxResult, SandboxState } from "./sandbox.ts";
import { createSeatbelt, sandboxExec } from "./seatbelt.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { isInside } from "./visible-paths.ts";

type TrialResult =
  | { readonly kind: "holds" }
  /** The sandbox could not be started; `said` is its output. */
  | { readonly kind: "broken"; readonly said: string }
  /** The sandbox runs, but something is not isolated. */
  | { readonly kind: "leaks"; readonly what: readonly string[] };

interface TrialOptions {
  readonly storage: string;
  /** Whether the system has namespaces and system call filters, which allow more tests. */
  readonly isLinux: boolean;
}

/** An exit code that shells do not use themselves. */
const exitCode = 73;
const patience = 20;

/** Tests a sandbox by running a command in it that tries every way out that must be closed. */
async function trySandbox(sandbox: Sandbox, { storage, isLinux }: TrialOptions): Promise<TrialResult> {
  await mkdir(storage, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(await realpath(storage), "trial-"));
  try {
    return await tryIn(home, sandbox, isLinux);
  } finally {
    await removeTree(home);
  }
}

async function tryIn(home: string, sandbox: Sandbox, isLinux: boolean): Promise<TrialResult> {
  const [real, copy, secret] = ["real", "copy", "secret"].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  const dependencies = join(real, "dependencies");
  const kept = join(dependencies, "kept");
  for (const folder of [dependencies, copy]) await mkdir(folder, { recursive: true });
  for (const file of [secret, join(real, "file"), kept]) await writeFile(file, "before");
  const lines = [
    "echo inside > file",
    `echo changed > dependencies/kept`,
    "echo new > dependencies/new && echo 'wrote: dependencies'",
    `cat '${quoted(secret)}' && echo 'escaped: a file outside is read'`,
    // There may be writable memory next to the folder; what counts is that the write does not reach the disk.
    `echo x > '${quoted(join(home, "written"))}'`,
    ...(isLinux ? linuxLines : []),
    `exit ${exitCode}`,
  ];
  const result = await sandbox.run(
    {
      command: lines.join("\n"),
      ...{ copy, at: real, overlay: [dependencies], readOnly: [], writable: [] },
      ...{
        env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
        temporary: join(home, "temporary"),
        seconds: patience,
      },
    },
    new AbortController().signal,
  );
  if (result.end !== "done" || result.code !== exitCode)
    return { kind: "broken", said: `${result.end}, ${result.code}: ${result.output.trim()}` };
  const what = [...result.output.matchAll(/^escaped: (.*)$/gm)].map(([, each]) => each ?? "");
  if (isLinux) what.push(...unlike(result));
  if (existsSync(join(home, "written"))) what.push("a file outside is there");
  for (const file of [secret, join(real, "file"), kept])
    if ((await readFile(file, "utf8")) !== "before") what.push(`${file} is changed`);
  if (existsSync(join(dependencies, "new"))) what.push("a file in the dependencies is there");
  if (!(await readFile(join(copy, "file"), "utf8").catch(() => "")).startsWith("inside"))
    what.push("the copy is not what was written");
  if (sandbox.overlays !== /^wrote: dependencies$/m.test(result.output))
    what.push(`dependencies can${sandbox.overlays ? "not" : ""} be written`);
  return what.length === 0 ? { kind: "holds" } : { kind: "leaks", what };
}

const namespaces = ["ipc", "mnt", "net", "pid", "user", "uts"];

/** What a command on Linux reports about itself, and two ways out that the kernel alone would leave open. */
const linuxLines = [
  ...namespaces.map((each) => `echo "namespace ${each} $(readlink /proc/self/ns/${each})"`),
  "cat /proc/self/status",
  "[ -w /proc/sys/kernel/core_pattern ] && echo 'escaped: /proc/sys is writable'",
  "unshare -U true && echo 'escaped: a user namespace is made'",
];

/** Lists what is not as it should be in a sandbox. */
function unlike({ output }: SandboxResult): readonly string[] {
  const shared = namespaces.filter((each) => {
    const found = new RegExp(`^namespace ${each} (\\S+)$`, "m").exec(output)?.[1];
    return found === undefined || found === readlinkSync(`/proc/self/ns/${each}`);
  });
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\w+)$`, "m").exec(output)?.[1];
  const capabilities = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].filter(
    (each) => !/^0+$/.test(field(each) ?? ""),
  );
  return [
    ...shared.map((each) => `its ${each} namespace is shared`),
    ...capabilities.map((each) => `it has capabilities (${each})`),
    ...(field("Seccomp") === "2" ? [] : ["its system calls are not filtered"]),
    ...(field("NoNewPrivs") === "1" ? [] : ["it can gain rights"]),
  ];
}

const quoted = (path: string) => path.replaceAll("'", `'\\''`);

/** A bubblewrap without these flags is not usable. 0.4 of 2019 has them. */
const neededFlags = [
  "--args",
  "--as-pid-1",
  "--cap-drop",
  "--die-with-parent",
  "--json-status-fd",
  "--seccomp",
];

type None = Extract<SandboxState, { kind: "none" }>;

/** Finds a bubblewrap that works on this machine, or the reason why none does and how to fix it. */
export async function findBubblewrap(options: FindSandboxOptions): Promise<SandboxState> {
  if (seccompFilter({ network: false }) === undefined)
    return none("platform", forLog(`No filter for ${process.arch}.`));
  const programs = candidates(options);
  if (programs.length === 0) return none("missing", forLog("There is no bwrap."), installCommand());
  let first: None | undefined;
  for (const program of programs) {
    const state = await tryProgram(program, options);
    if (state.kind === "works") return state;
    first ??= state;
  }
  return first ?? none("missing", forLog("There is no bwrap."));
}

/**
 * The system's bubblewrap first, then those on PATH outside of every workspace folder: the sandbox must not be built by
 * a program from a workspace.
 */
function candidates({ workspaceFolders, path, bubblewrap }: FindSandboxOptions): readonly string[] {
  if (bubblewrap !== undefined) return [bubblewrap];
  const folders = (path ?? process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const closed = workspaceFolders.flatMap((each) => [each, realOf(each)]);
  const found = ["/usr/bin/bwrap", ...folders.map((each) => join(each, "bwrap"))].filter(
    (each) =>
      isProgram(each) && ![each, realOf(each)].some((file) => closed.some((one) => isInside(file, one))),
  );
  return [...new Set(found.map(realOf))];
}

async function tryProgram(program: string, options: FindSandboxOptions): Promise<SandboxState> {
  const help = await said(program, ["--help"]);
  const flags = new Set(help.match(/--[a-z][a-z0-9-]+/g) ?? []);
  const missing = neededFlags.filter((each) => !flags.has(each));
  if (missing.length > 0)
    return none("outdated", `${program} has no ${missing.join(", ")}.`, installCommand());
  const ways: readonly OverlayWay[] = [flags.has("--tmp-overlay") ? "bubblewrap" : "before", "none"];
  const tried: string[] = [];
  let why: NoSandboxReason = "refused";
  for (const overlayWay of ways) {
    const { storage, workspaceFolders, programs } = options;
    const sandbox = createBubblewrap({ program, flags, overlayWay, storage, workspaceFolders, programs });
    const trial = await trySandbox(sandbox, { storage, isLinux: true });
    if (trial.kind === "holds") return { kind: "works", sandbox };
    if (trial.kind === "leaks") why = "leaks";
    tried.push(
      `${program}, overlays ${overlayWay}: ${trial.kind === "leaks" ? trial.what.join("; ") : trial.said}`,
    );
  }
  if (why === "refused") return { ...refusal(), detail: tried.join("\n") };
  return none(why, tried.join("\n"));
}

/** Determines what forbids user namespaces, from the settings that systems have for it. */
function refusal(): Omit<None, "detail"> {
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === 1)
    return { kind: "none", why: "apparmor", remedy: appArmorCommand };
  if (setting("kernel/unprivileged_userns_clone") === 0)
    return { kind: "none", why: "namespaces", remedy: "sudo sysctl -w kernel.unprivileged_userns_clone=1" };
  if (setting("user/max_user_namespaces") === 0)
    return { kind: "none", why: "namespaces", remedy: "sudo sysctl -w user.max_user_namespaces=15000" };
  return { kind: "none", why: "refused" };
}

/** Ubuntu 24.04 ships the profile, but does not load it (microsoft/vscode#316046); Ubuntu 25.04 and later do. */
const appArmorCommand = [
  "sudo apt install apparmor-profiles apparmor-utils",
  "sudo install -m 0644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/bwrap-userns-restrict",
  "sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict",
].join(" && ");

const installers = [
  ["apt-get", "sudo apt install bubblewrap"],
  ["dnf", "sudo dnf install bubblewrap"],
  ["pacman", "sudo pacman -S bubblewrap"],
  ["zypper", "sudo zypper install bubblewrap"],
  ["apk", "sudo apk add bubblewrap"],
] as const;

function installCommand(): string | undefined {
  const has = (name: string) =>
    ["/usr/bin", "/sbin", "/usr/sbin"].some((each) => existsSync(join(each, name)));
  return installers.find(([name]) => has(name))?.[1];
}

const none = (why: NoSandboxReason, detail: string, remedy?: string): None => ({
  kind: "none",
  why,
  detail,
  ...(remedy !== undefined && { remedy }),
});

function setting(name: string): number | undefined {
  try {
    return Number(readFileSync(join("/proc/sys", name), "latin1"));
  } catch {
    return undefined;
  }
}

function said(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { env: ownEnvironment, timeout: 10_000 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** macOS ships its sandbox. A trial shows whether it works with our profile. UNTRIED (seatbelt.ts). */
export async function findSeatbelt({
  storage,
  workspaceFolders,
  programs,
}: FindSandboxOptions): Promise<SandboxState> {
  if (!existsSync(sandboxExec))
    return { kind: "none", why: "missing", detail: forLog(`There is no ${sandboxExec}.`) };
  const sandbox = createSeatbelt({ storage, workspaceFolders, programs });
  const trial = await trySandbox(sandbox, { storage, isLinux: false });
  if (trial.kind === "holds") return { kind: "works", sandbox };
  if (trial.kind === "leaks") return { kind: "none", why: "leaks", detail: trial.what.join("; ") };
  return { kind: "none", why: "refused", detail: trial.said };
}
