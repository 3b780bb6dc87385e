// What canaries are let loose on: a folder with private files and dependencies, a home, tools, servers, sockets and a process
// of the same person. All of it is thrown away.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createPageServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { credentialFiles } from "./home-files.ts";
import { secret } from "./sandbox-canaries.ts";

export interface CanaryWorld {
  readonly base: string;
  readonly real: string;
  readonly outside: string;
  readonly home: string;
  readonly storage: string;
  readonly tools: string;
  readonly copy: string;
  readonly names: Readonly<Record<"system" | "planted" | "private" | "left", string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly sleeper: number;
  readonly heard: { datagrams: number };
  readonly hasPython: boolean;
  /** All as it was at first, but the sockets, which stay. */
  rebuild(): Promise<void>;
  isAlive(pid: number): boolean;
  isRunning(mark: string): boolean;
  /** Everything outside of the copy that could be changed: inode, size, times, mode, links, bytes. */
  snapshot(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const sleeping = `
import ctypes, os, signal, socket
key, name = int(os.environ["SHARED"]), os.environ["QUEUE"].encode()
libc, librt = ctypes.CDLL(None), ctypes.CDLL("librt.so.1")
shared = libc.shmget(key, 4096, 0o1600)
librt.mq_open(name, 0o102, 0o600, None)
server = socket.socket(socket.AF_UNIX)
server.bind("\\0" + os.environ["ABSTRACT"])
server.listen()
def leave(*_):
  libc.shmctl(shared, 0, None)
  librt.mq_unlink(name)
  os._exit(0)
signal.signal(signal.SIGTERM, leave)
print("ready", flush=True)
while True: signal.pause()
`;

export async function createWorld(base: string): Promise<CanaryWorld> {
  const at = (...parts: string[]) => join(base, ...parts);
  const real = at("projects/real");
  const outside = at("projects/outside");
  const [home, storage, tools] = [at("home"), at("storage"), at("tools")];
  const copy = join(storage, "copy");
  const own = `patchbay-canary-${process.pid}`;
  const names = {
    system: `/usr/local/${own}`,
    planted: own,
    private: `${own}-private`,
    left: `${own}-left`,
  };
  const atHome = [".local/bin", "bin", ".dotnet"].map((each) => join(home, each));
  const path = [
    join(tools, "bin"),
    ...atHome,
    dirname(process.execPath),
    "/usr/bin",
    "/bin",
    "/usr/sbin",
    "/sbin",
  ].join(":");
  const hasPython = spawnSync("python3", ["-c", ""], { env: { PATH: path } }).status === 0;
  for (const each of ["sockets", "home"]) mkdirSync(at(each), { recursive: true });

  const heard = { datagrams: 0 };
  const page = createPageServer((_, response) => response.end("heard")).listen(0, "0.0.0.0");
  const datagrams = createSocket("udp4", () => heard.datagrams++).bind(0, "127.0.0.1");
  const sockets = [at("sockets/host"), join(home, "agent")].map((each) => createServer().listen(each));
  await Promise.all([page, datagrams, ...sockets].map((each) => once(each, "listening")));
  const env: Record<string, string> = {
    ...{ PATH: path, HOME: home, WORLD: base, REAL: real, OUTSIDE: outside, STORAGE: storage, TOOLS: tools },
    ...{ SYSTEM: names.system, PLANTED: names.planted, PRIVATE: names.private, LEFT: names.left },
    ...{ PORT: String((page.address() as AddressInfo).port), UDP: String(datagrams.address().port) },
    ...{ SOCKET: at("sockets/host"), ABSTRACT: own, ADDRESS: ownAddress() },
    ...{ SHARED: String(0x50000000 + process.pid), QUEUE: `/${own}` },
  };

  let sleeper: ChildProcess | undefined;
  const startSleeper = async () => {
    const [program, args] = hasPython
      ? (["python3", ["-c", sleeping, secret]] as const)
      : (["sh", ["-c", `echo ready; sleep 600 & wait; : ${secret}`]] as const);
    sleeper = spawn(program, args, {
      cwd: outside,
      env: { ...env, TOKEN: secret },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(sleeper.stdout as NodeJS.ReadableStream, "data");
    env["SLEEPER"] = String(sleeper.pid);
  };

  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  const sources = (folder: string) => {
    write(join(folder, "src/main.ts"), "export {};\n");
    symlinkSync(outside, join(folder, "planted"));
  };
  const world: CanaryWorld = {
    ...{ base, real, outside, home, storage, tools, copy, names, env, heard, hasPython },
    get sleeper() {
      return sleeper?.pid ?? -1;
    },
    async rebuild() {
      for (const each of [real, tools, storage]) rmSync(each, { recursive: true, force: true });
      // A process works in there.
      for (const each of existsSync(outside) ? readdirSync(outside) : [])
        rmSync(join(outside, each), { recursive: true, force: true });
      for (const each of leftBehind(names)) rmSync(each, { force: true });
      write(join(outside, "target"), "before\n");
      sources(real);
      sources(copy);
      write(join(real, ".env"), secret);
      for (const each of ["index", "mode", "name", "hard", "time", "cut", "attribute"])
        write(join(real, `node_modules/pkg/${each}.js`), "module.exports = 1;\n");
      for (const each of ["pkg/package.json", "gone/index.js", "swap/index.js"])
        write(join(real, "node_modules", each), "{}\n");
      write(join(real, "packages/a/node_modules/dep/index.js"), "module.exports = 2;\n");
      write(join(tools, "bin/tool"), "#!/bin/sh\necho tool\n", 0o755);
      write(join(tools, "lib/project/.env"), secret);
      write(join(storage, "secret"), secret);
      for (const each of credentialFiles) write(join(home, each), secret);
      for (const each of [".cargo/bin/tool", ".local/bin/own-tool", "bin/own-tool"])
        write(join(home, each), "#!/bin/sh\necho tool\n", 0o755);
      write(join(home, ".bashrc"), "before\n");
      for (const each of ["/tmp", "/dev/shm"]) write(join(each, names.private), secret, 0o600);
      if (sleeper === undefined || sleeper.exitCode !== null || sleeper.signalCode !== null)
        await startSleeper();
      heard.datagrams = 0;
    },
    isAlive: (pid) => /\) [^ZX] /.test(readOr(`/proc/${pid}/stat`)),
    isRunning: (mark) => withArgument(mark).length > 0,
    snapshot: () => Object.fromEntries([real, outside, home, tools].flatMap(describeTree)),
    async close() {
      for (const each of withArgument(names.left)) process.kill(each, "SIGKILL");
      for (const each of [page, ...sockets] as Server[]) each.close();
      page.closeAllConnections();
      datagrams.close();
      if (sleeper !== undefined && sleeper.exitCode === null && sleeper.signalCode === null) {
        sleeper.kill("SIGTERM");
        await once(sleeper, "exit");
      }
      for (const each of [
        ...leftBehind(names),
        ...["/tmp", "/dev/shm"].map((each) => join(each, names.private)),
      ])
        rmSync(each, { force: true });
    },
  };
  await world.rebuild();
  return world;
}

const leftBehind = ({ system, planted }: CanaryWorld["names"]) => [
  system,
  ...["/tmp", "/var/tmp", "/dev/shm"].map((each) => join(each, planted)),
];

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

/** Processes with this word among their arguments; of each, the number. */
export function withArgument(mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)
    .filter((each) => readOr(`/proc/${each}/cmdline`).includes(mark))
    .map(Number);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function describeTree(path: string): [string, string][] {
  if (!existsSync(path)) return [];
  const { ino, size, mtimeNs, ctimeNs, mode, nlink, uid } = lstatSync(path, { bigint: true });
  const stats = lstatSync(path);
  const bytes = stats.isFile()
    ? createHash("sha256").update(readFileSync(path)).digest("hex")
    : stats.isSymbolicLink()
      ? readlinkSync(path)
      : "";
  const own = [path, [ino, size, mtimeNs, ctimeNs, mode, nlink, uid, bytes].join(" ")] as [string, string];
  if (!stats.isDirectory()) return [own];
  return [
    own,
    ...readdirSync(path)
      .sort()
      .flatMap((each) => describeTree(join(path, each))),
  ];
}
