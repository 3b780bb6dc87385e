// Builds a seccomp filter, as bytes, that restricts a command's system calls. Calls that checks do not need and that
// are likely places of kernel vulnerabilities are refused with EPERM.

interface CallNumbers {
  /** AUDIT_ARCH_… of <linux/audit.h>. */
  readonly architecture: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
  readonly socket: number;
}

/** Since 424, new system calls have the same number on every architecture. */
const sharedNumbers = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429 },
  ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, mount_setattr: 442, quotactl_fd: 443 },
  open_tree_attr: 467,
};

const x64: CallNumbers = {
  architecture: 0xc000003e,
  refused: {
    ...{ mount: 165, umount2: 166, pivot_root: 155, chroot: 161, unshare: 272, setns: 308 },
    ...{ add_key: 248, request_key: 249, keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
    ...{ kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176 },
    ...{
      reboot: 169,
      swapon: 167,
      swapoff: 168,
      acct: 163,
      syslog: 103,
      quotactl: 179,
      iopl: 172,
      ioperm: 173,
    },
    ...{ name_to_handle_at: 303, open_by_handle_at: 304, fanotify_init: 300, settimeofday: 164 },
    ...{ clock_settime: 227, clock_adjtime: 305, adjtimex: 159, sethostname: 170, setdomainname: 171 },
    ...{ lookup_dcookie: 212, vhangup: 153, ...sharedNumbers },
  },
  ...{ clone: 56, clone3: 435, ioctl: 16, socket: 41 },
};

/** From the system call table of arm64; not tested there. */
const arm64: CallNumbers = {
  architecture: 0xc00000b7,
  refused: {
    ...{ mount: 40, umount2: 39, pivot_root: 41, chroot: 51, unshare: 97, setns: 268 },
    ...{ add_key: 217, request_key: 218, keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
    ...{ kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106 },
    ...{ reboot: 142, swapon: 224, swapoff: 225, acct: 89, syslog: 116, quotactl: 60 },
    ...{ name_to_handle_at: 264, open_by_handle_at: 265, fanotify_init: 262, settimeofday: 170 },
    ...{ clock_settime: 112, clock_adjtime: 266, adjtimex: 171, sethostname: 161, setdomainname: 162 },
    ...{ lookup_dcookie: 18, vhangup: 58, ...sharedNumbers },
  },
  ...{ clone: 220, clone3: 435, ioctl: 29, socket: 198 },
};

/** Offsets in seccomp_data of <linux/seccomp.h>; of an argument, the lower half. */
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = 0x00050001; // EPERM
const unknownCall = 0x00050026; // ENOSYS

const newUserNamespace = 0x10000000;
/** Injecting input into a terminal from outside: TIOCSTI, TIOCLINUX. */
const terminalInput = [0x5412, 0x541c];
/** IPv4, IPv6, netlink. Not vsock, which leads out of WSL 2, nor packet, ALG and others. */
const internetFamilies = [2, 10, 16];
/**
 * Only without the machine's network: sockets of this family that have no file belong to the network, so that a command
 * would reach those of other programs, too. Pairs of connected sockets are made by another call, which stays.
 */
const unixFamily = 1;

/** One BPF instruction: operation, number of instructions to skip if true and if false, and value. */
type Instruction = readonly [operation: number, whenTrue: number, whenFalse: number, value: number];
const load = (address: number): Instruction => [0x20, 0, 0, address];
const isEqual = (value: number, whenTrue: number, whenFalse: number): Instruction => [
  0x15,
  whenTrue,
  whenFalse,
  value,
];
const answer = (value: number): Instruction => [0x06, 0, 0, value];

interface FilterOptions {
  /** The command shares the machine's network. */
  readonly network: boolean;
  readonly architecture?: string;
}

/**
 * Returns `undefined` if the system call numbers of the architecture are unknown; without a filter there is no sandbox.
 */
export function seccompFilter({ network, architecture = process.arch }: FilterOptions): Buffer | undefined {
  const numbers = architecture === "x64" ? x64 : architecture === "arm64" ? arm64 : undefined;
  if (numbers === undefined) return undefined;
  const { clone, clone3, ioctl, socket } = numbers;
  const families = network ? internetFamilies : [unixFamily, ...internetFamilies];
  const program: readonly Instruction[] = [
    load(architectureAt),
    isEqual(numbers.architecture, 1, 0),
    // Calls of another architecture (32 bits) have different numbers.
    answer(killProcess),
    load(numberAt),
    // Refuse x32 as well, whose numbers start there.
    ...(architecture === "x64" ? [[0x35, 0, 1, 0x40000000] as const, answer(refuse)] : []),
    ...Object.values(numbers.refused).flatMap((each) => [isEqual(each, 0, 1), answer(refuse)]),
    // The flags of clone3 are in memory, where the filter cannot see them; libraries fall back to clone.
    isEqual(clone3, 0, 1),
    answer(unknownCall),
    isEqual(clone, 0, 4),
    load(argumentAt(0)),
    [0x45, 0, 1, newUserNamespace],
    answer(refuse),
    answer(allow),
    isEqual(ioctl, 0, terminalInput.length + 3),
    load(argumentAt(1)),
    ...terminalInput.map((each, index) => isEqual(each, terminalInput.length - index, 0)),
    answer(allow),
    answer(refuse),
    isEqual(socket, 0, families.length + 3),
    load(argumentAt(0)),
    ...families.map((each, index) => isEqual(each, families.length - index, 0)),
    answer(refuse),
    answer(allow),
    answer(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([operation, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(operation, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
