// What tries to get out of the sandbox: one row, one way. Each is run without a sandbox first and has to get out there, so
// that its being held means something. It has got out when it prints OUT, or when `mark` sees what it did to the machine.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { credentialFiles } from "./home-files.ts";
import type { CanaryWorld } from "./sandbox-world.ts";

export interface Canary {
  readonly name: string;
  readonly language: "sh" | "python" | "node";
  readonly script: string;
  readonly mark?: (world: CanaryWorld) => boolean;
  /**
   * Who gets out with it where there is no sandbox. "kernel": whoever has a kernel that offers it. Else why it is not run
   * there.
   */
  readonly bare: "all" | "root" | "kernel" | { readonly not: string };
  /** It disturbs the others, and has a sandbox of its own. */
  readonly isAlone?: boolean;
}

/** What stands in the files and environments that nobody is to read. The scripts do not have it in them. */
export const secret = "CANARY-SECRET-7F3A";
const sought = "'CANARY.SECRET.7F3[A]'";

const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const dependency = (world: CanaryWorld, name = "index.js") => join(world.real, "node_modules/pkg", name);
const untilTail = `until grep -qsxz "[p]\${LEFT#p}" /proc/[0-9]*/cmdline; do :; done`;
const says = (file: string) => `grep -qs ${sought} ${file} && echo OUT`;

const files: readonly Canary[] = named("writes", [
  row("a file beside the folder", "echo x > ../outside/beside", (at) =>
    existsSync(join(at.outside, "beside")),
  ),
  row(
    "a start file of the home",
    'echo x > "$HOME/.bashrc"',
    (at) => text(join(at.home, ".bashrc")) === "x\n",
  ),
  row("our own storage", 'echo x > "$STORAGE/planted"', (at) => existsSync(join(at.storage, "planted"))),
  {
    ...row("the system's programs", 'echo x > "$SYSTEM"', (at) => existsSync(at.names.system)),
    bare: "root",
  },
  row("a program of PATH", 'echo x >> "$TOOLS/bin/tool"', (at) =>
    text(join(at.tools, "bin/tool")).endsWith("x\n"),
  ),
  row("a program of a toolchain", 'echo x >> "$HOME/.cargo/bin/tool"', (at) =>
    text(join(at.home, ".cargo/bin/tool")).endsWith("x\n"),
  ),
  row("a file behind a link that it makes", 'ln -s "$OUTSIDE/linked" link; echo x > link', (at) =>
    existsSync(join(at.outside, "linked")),
  ),
  row(
    "a file behind a hard link that it makes",
    'ln "$OUTSIDE/target" hard && echo x > hard',
    isTargetChanged,
  ),
  row("a folder behind a link that lay in the copy", "echo x > planted/through", (at) =>
    existsSync(join(at.outside, "through")),
  ),
  row("a path from its own root", 'echo x > "/proc/self/root$OUTSIDE/root"', (at) =>
    existsSync(join(at.outside, "root")),
  ),
  row("a path above its own folder", "echo x > /proc/self/cwd/../outside/above", (at) =>
    existsSync(join(at.outside, "above")),
  ),
  row("a path from the root of another process", 'echo x > "/proc/$SLEEPER/root$OUTSIDE/other"', (at) =>
    existsSync(join(at.outside, "other")),
  ),
  row("the folder of another process", 'echo x > "/proc/$SLEEPER/cwd/folder"', (at) =>
    existsSync(join(at.outside, "folder")),
  ),
  row("the machine's /tmp", 'echo x > "/tmp/$PLANTED"', (at) => existsSync(join("/tmp", at.names.planted))),
  row("the machine's /var/tmp", 'echo x > "/var/tmp/$PLANTED"', (at) =>
    existsSync(join("/var/tmp", at.names.planted)),
  ),
  row("the machine's /dev/shm", 'echo x > "/dev/shm/$PLANTED"', (at) =>
    existsSync(join("/dev/shm", at.names.planted)),
  ),
  row("the real folder's sources", "echo x >> src/main.ts", (at) =>
    text(join(at.real, "src/main.ts")).endsWith("x\n"),
  ),
  {
    ...row(
      "the whole real folder",
      'find "$REAL" -mindepth 1 -delete',
      (at) => !existsSync(join(at.real, "src")),
    ),
    isAlone: true,
  },
]);

const dependencies: readonly Canary[] = named("in the dependencies,", [
  row("changes a file", "echo x >> node_modules/pkg/index.js", (at) => text(dependency(at)).endsWith("x\n")),
  row(
    "deletes a package",
    "rm -rf node_modules/gone",
    (at) => !existsSync(join(at.real, "node_modules/gone")),
  ),
  row(
    "changes a mode",
    "chmod 777 node_modules/pkg/mode.js",
    (at) => modeOf(dependency(at, "mode.js")) === 0o777,
  ),
  row("renames a file", "mv node_modules/pkg/name.js node_modules/pkg/other.js", (at) =>
    existsSync(dependency(at, "other.js")),
  ),
  row("writes by a hard link", "ln node_modules/pkg/hard.js in-copy && echo x >> in-copy", (at) =>
    text(dependency(at, "hard.js")).endsWith("x\n"),
  ),
  row("sets a time", "touch -d 2001-01-01 node_modules/pkg/time.js", (at) =>
    isOld(dependency(at, "time.js")),
  ),
  row("adds a file", "echo x > node_modules/pkg/added.js", (at) => existsSync(dependency(at, "added.js"))),
  row(
    "puts a link in a package's place",
    'rm -rf node_modules/swap; ln -s "$OUTSIDE" node_modules/swap; echo x > node_modules/swap/swapped',
    (at) => existsSync(join(at.outside, "swapped")),
  ),
  {
    ...row(
      "moves the folder away",
      "mv node_modules moved && mkdir node_modules",
      (at) => !existsSync(dependency(at, "package.json")),
    ),
    isAlone: true,
  },
  {
    ...row("takes the mount away", "umount node_modules && echo OUT"),
    bare: { not: "nothing is mounted there" },
  },
  node(
    "cuts a file",
    'fs.truncateSync("node_modules/pkg/cut.js", 1)',
    (at) => text(dependency(at, "cut.js")).length === 1,
  ),
  python(
    "sets an attribute",
    'os.setxattr("node_modules/pkg/attribute.js", "user.canary", b"x")\nif "canary" in "".join(os.listxattr("node_modules/pkg/attribute.js")) and not os.environ.get("OVERLAY"): out()',
  ),
]);

const reads: readonly Canary[] = named("reads", [
  row("a private file of the folder", says(".env")),
  ...credentialFiles.map((each) => row(`${each} of the home`, says(`"$HOME/${each}"`))),
  row("our own storage", says('"$STORAGE/secret"')),
  row("another workspace below what is shown", says('"$TOOLS/lib/project/.env"')),
  row("anything below the world", `grep -rqs ${sought} "$WORLD" && echo OUT`),
  row("the machine's /tmp", says('"/tmp/$PRIVATE"')),
  row("the machine's /dev/shm", says('"/dev/shm/$PRIVATE"')),
  row("the environment of a process", says('"/proc/$SLEEPER/environ"')),
  row("the environment of any process", `grep -qas ${sought} /proc/[0-9]*/environ && echo OUT`),
  row("the arguments of any process", `grep -qas ${sought} /proc/[0-9]*/cmdline && echo OUT`),
  { ...row("the hashes of passwords", "grep -qs : /etc/shadow && echo OUT"), bare: "root" },
  { ...row("the kernel's log", "head -c1 /dev/kmsg | grep -q . && echo OUT"), bare: "kernel" },
  {
    ...row(
      "a disk",
      'for each in /dev/[vsx]d[a-z] /dev/nvme*n1; do [ -b "$each" ] && head -c1 "$each" >/dev/null && echo OUT; done',
    ),
    bare: "kernel",
  },
  {
    ...row(
      "what was left open for it",
      'for each in /proc/self/fd/*; do case $(readlink "$each") in "$REAL"/*|/dev/null|/proc/*) ;; /*) echo OUT ;; esac; done',
    ),
    bare: { not: "nothing is left open for a command, with or without a sandbox" },
  },
]);

const processes: readonly Canary[] = named("processes:", [
  {
    // What was ended may take a moment to be gone where the machine is busy.
    ...row(
      "ends another process",
      `kill -9 "$SLEEPER" && while grep -qs ') [^ZX] ' "/proc/$SLEEPER/stat"; do :; done`,
      (at) => !at.isAlive(at.sleeper),
    ),
    isAlone: true,
  },
  {
    ...row("ends all processes", "kill -9 -1", (at) => !at.isAlive(at.sleeper)),
    isAlone: true,
    bare: { not: "it would end everything of this person, the tests among it" },
  },
  row("sees another process", '[ -e "/proc/$SLEEPER/status" ] && echo OUT'),
  row("has a process without a filter", "grep -qs '^Seccomp:[[:space:]]*0' /proc/[0-9]*/status && echo OUT"),
  row("could gain rights", "grep -q '^NoNewPrivs:[[:space:]]*0' /proc/self/status && echo OUT"),
  row("could have capabilities", "grep -q '^CapBnd:[[:space:]]*0*[1-9a-f]' /proc/self/status && echo OUT"),
  {
    ...row("has capabilities", "grep -q '^CapEff:[[:space:]]*0*[1-9a-f]' /proc/self/status && echo OUT"),
    bare: "root",
  },
  {
    ...row("leaves a process behind", `setsid tail -F "$LEFT" > /dev/null 2>&1 & ${untilTail}`, (at) =>
      at.isRunning(at.names.left),
    ),
    isAlone: true,
  },
  {
    ...row(
      "leaves a process of a process behind",
      `(setsid sh -c 'trap "" TERM HUP; tail -F "$LEFT" & exit' > /dev/null 2>&1 &); ${untilTail}`,
      (at) => at.isRunning(at.names.left),
    ),
    isAlone: true,
  },
  python("takes hold of another process", "if call('ptrace', 0x4206, sleeper, 0, 0) == 0: out()"),
  python("reads the memory of another process", 'os.open(f"/proc/{sleeper}/mem", os.O_RDWR)\nout()'),
  python(
    "takes a descriptor of another process",
    "fd = call('pidfd_open', sleeper, 0)\nif fd >= 0 and call('pidfd_getfd', fd, 1, 0) >= 0: out()",
  ),
  { ...python("becomes another person", "os.setuid(12345)\nout()"), bare: "root" },
  {
    ...row("enters the namespaces of another process", 'nsenter -t "$SLEEPER" -m -u true && echo OUT'),
    bare: "root",
  },
]);

const network: readonly Canary[] = named("network:", [
  python(
    "a server on this machine",
    'socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), 2)\nout()',
  ),
  node(
    "a server on this machine, by its page",
    'await fetch("http://127.0.0.1:" + process.env.PORT); console.log("OUT")',
  ),
  python(
    "a server on this machine, by datagrams",
    'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(os.environ["UDP"])))',
    (at) => at.heard.datagrams > 0,
  ),
  python(
    "this machine by its own address",
    'socket.create_connection((os.environ["ADDRESS"], int(os.environ["PORT"])), 2)\nout()',
    undefined,
    "kernel",
  ),
  python("a socket in a file", 'socket.socket(socket.AF_UNIX).connect(os.environ["SOCKET"])\nout()'),
  python(
    "a socket in the home",
    'socket.socket(socket.AF_UNIX).connect(os.environ["HOME"] + "/agent")\nout()',
  ),
  python(
    "a socket without a file",
    'socket.socket(socket.AF_UNIX).connect("\\0" + os.environ["ABSTRACT"])\nout()',
  ),
  python(
    "the host of a virtual machine",
    "socket.socket(40, socket.SOCK_STREAM)\nout()",
    undefined,
    "kernel",
  ),
  python("the kernel's ciphers", "socket.socket(38, socket.SOCK_SEQPACKET)\nout()", undefined, "kernel"),
  python("whole packets", "socket.socket(17, socket.SOCK_RAW)\nout()", undefined, "root"),
  python("raw packets", "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nout()", undefined, "root"),
  row("an interface that is not its own", "grep -v '^ *lo:' /proc/net/dev | grep -q ':' && echo OUT"),
]);

const kernel: readonly Canary[] = named("the kernel:", [
  python(
    "letters put into a terminal",
    "import pty, termios\npid, fd = pty.fork()\nif pid == 0:\n  fcntl.ioctl(0, 0x5412, b'x')\n  print('OU' + 'T', flush=True)\n  os._exit(0)\ntext = b''\ntry:\n  while True:\n    piece = os.read(fd, 1000)\n    if not piece: break\n    text += piece\nexcept OSError: pass\nif b'OUT' in text: out()",
    undefined,
    "kernel",
  ),
  python("a device", "os.mknod('device', 0o600 | 0o020000, os.makedev(1, 3))\nout()", undefined, "root"),
  python(
    "the machine's name",
    "name = socket.gethostname().encode()\nif call('sethostname', name, len(name)) == 0: out()",
    undefined,
    "root",
  ),
  python("the clock", "import time\ntime.clock_settime(time.CLOCK_REALTIME, time.time())\nout()", undefined, {
    not: "it would set the clock",
  }),
  python(
    "a file by its handle",
    "buffer = ctypes.create_string_buffer(b'\\x80' + bytes(199), 200)\nmount = ctypes.c_int()\nif libc.name_to_handle_at(-100, os.environ['OUTSIDE'].encode() + b'/target', buffer, ctypes.byref(mount), 0) == 0:\n  fd = os.open(os.environ['OUTSIDE'], os.O_RDONLY)\n  if libc.open_by_handle_at(fd, buffer, 0) >= 0: out()",
    undefined,
    "root",
  ),
  row("a mount", "mkdir m && mount -t tmpfs none m && echo OUT && umount m", undefined, "root"),
  row("a mount that becomes writable", "mount -o remount,rw / && echo OUT", undefined, "root"),
  row("another root", "chroot / true && echo OUT", undefined, "root"),
  row("another root in its place", "pivot_root . . && echo OUT", undefined, {
    not: "it would take the machine's root",
  }),
  row("a user namespace", "unshare -Ur true && echo OUT", undefined, "kernel"),
  python(
    "a user namespace by clone",
    "pid = call('clone', 0x10000000 | 17, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nif pid > 0: out()",
    undefined,
    "kernel",
  ),
  python(
    "a user namespace by clone3",
    "import struct\nargs = struct.pack('11Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)\npid = call('clone3', args, 88)\nif pid == 0: os._exit(0)\nif pid > 0: out()",
    undefined,
    "kernel",
  ),
  python(
    "io_uring",
    "if call('io_uring_setup', 4, ctypes.create_string_buffer(120)) >= 0: out()",
    undefined,
    "kernel",
  ),
  python(
    "bpf",
    "import struct\nif call('bpf', 0, struct.pack('IIIII', 2, 4, 4, 1, 0) + bytes(100), 120) >= 0: out()",
    undefined,
    "kernel",
  ),
  python(
    "perf",
    "import struct\nif call('perf_event_open', struct.pack('IIQ', 1, 112, 0) + bytes(24) + struct.pack('Q', 0x62) + bytes(64), 0, -1, -1, 0) >= 0: out()",
    undefined,
    "kernel",
  ),
  python("userfaultfd", "if call('userfaultfd', 1) >= 0: out()", undefined, "kernel"),
  python(
    "the keys of the session",
    "if call('add_key', b'user', b'canary', b'x', 1, -3) >= 0: out()",
    undefined,
    "kernel",
  ),
  python("a file system by fsopen", "if call('fsopen', b'tmpfs', 0) >= 0: out()", undefined, "root"),
  python("a tree by open_tree", "if call('open_tree', -100, b'/', 1) >= 0: out()", undefined, "root"),
  python(
    "the kernel's log by syslog",
    "if call('syslog', 3, ctypes.create_string_buffer(10), 10) >= 0: out()",
    undefined,
    "root",
  ),
  python("memory of this machine (System V)", "if libc.shmget(int(os.environ['SHARED']), 0, 0) >= 0: out()"),
  python(
    "a queue of this machine",
    "if ctypes.CDLL('librt.so.1').mq_open(os.environ['QUEUE'].encode(), 0) >= 0: out()",
    undefined,
    "kernel",
  ),
  python(
    "what is started when a program crashes",
    "os.close(os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY))\nout()",
    undefined,
    "root",
  ),
  python(
    "the network's switches",
    "os.close(os.open('/proc/sys/net/ipv4/ip_forward', os.O_WRONLY))\nout()",
    undefined,
    "root",
  ),
  python(
    "the kernel's emergency keys",
    "os.close(os.open('/proc/sysrq-trigger', os.O_WRONLY))\nout()",
    undefined,
    "kernel",
  ),
  row(
    "a control group",
    'for each in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs); do [ -w "$each" ] && echo OUT; done',
    undefined,
    "kernel",
  ),
]);

export const canaries: readonly Canary[] = [
  ...files,
  ...dependencies,
  ...reads,
  ...processes,
  ...network,
  ...kernel,
];

function named(subject: string, rows: readonly Canary[]): readonly Canary[] {
  return rows.map((each) => ({ ...each, name: `${subject} ${each.name}` }));
}

function row(name: string, script: string, mark?: Canary["mark"], bare: Canary["bare"] = "all"): Canary {
  return { name, language: "sh", script, bare, ...(mark && { mark }) };
}

function python(name: string, script: string, mark?: Canary["mark"], bare: Canary["bare"] = "all"): Canary {
  return { ...row(name, script, mark, bare), language: "python" };
}

function node(name: string, script: string, mark?: Canary["mark"]): Canary {
  return { ...row(name, script, mark), language: "node" };
}

function isTargetChanged({ outside }: CanaryWorld): boolean {
  return text(join(outside, "target")) !== "before\n";
}

const modeOf = (path: string) => lstatSync(path).mode & 0o777;
const isOld = (path: string) => lstatSync(path).mtime.getFullYear() === 2001;
