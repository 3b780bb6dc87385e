import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { seccompFilter } from "../../../src/checks/internal/sandbox/seccomp-filter.ts";

interface Call {
  readonly architecture: number;
  readonly number: number;
  readonly args?: readonly number[];
}

/** What the kernel does with it, for the few instructions there are. */
function run(filter: Buffer, { architecture, number, args = [] }: Call): number {
  const words = new Map([
    [0, number],
    [4, architecture],
    ...args.map((each, index) => [16 + 8 * index, each] as [number, number]),
  ]);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const operation = filter.readUInt16LE(at);
    const value = filter.readUInt32LE(at + 4);
    const jump = (is: boolean) => filter.readUInt8(at + (is ? 2 : 3)) * 8;
    if (operation === 0x20) loaded = words.get(value) ?? 0;
    else if (operation === 0x06) return value;
    else if (operation === 0x15) at += jump(loaded === value);
    else if (operation === 0x35) at += jump(loaded >= value);
    else if (operation === 0x45) at += jump((loaded & value) !== 0);
    else assert.fail(`operation ${operation}`);
  }
  return assert.fail("no answer");
}

const allowed = 0x7fff0000;
const refused = 0x00050001;
const unknown = 0x00050026;
const killed = 0x80000000;

/** From the kernel's tables: [x64, arm64]. */
const numbers = {
  ...{ read: [0, 63], openat: [257, 56], execve: [59, 221], clone: [56, 220], clone3: [435, 435] },
  ...{ socket: [41, 198], ioctl: [16, 29], mount: [165, 40], unshare: [272, 97], setns: [308, 268] },
  ...{
    bpf: [321, 280],
    keyctl: [250, 219],
    chroot: [161, 51],
    ptrace: [101, 117],
    io_uring_setup: [425, 425],
  },
} as const;

for (const [index, name] of (["x64", "arm64"] as const).entries())
  describe(`seccompFilter for ${name}`, () => {
    const filter = seccompFilter({ network: false, architecture: name }) ?? Buffer.alloc(0);
    const architecture = [0xc000003e, 0xc00000b7][index] ?? 0;
    const answer = (call: keyof typeof numbers, ...args: number[]) =>
      run(filter, { architecture, number: numbers[call][index] ?? 0, args });

    test("allows the calls of ordinary programs", () => {
      for (const each of ["read", "openat", "execve", "ptrace"] as const)
        assert.equal(answer(each), allowed, each);
      for (const family of [1, 2, 10, 16]) assert.equal(answer("socket", family), allowed, String(family));
      assert.equal(answer("clone", 0x01200011), allowed);
      assert.equal(answer("ioctl", 0, 0x5413), allowed);
    });
    test("refuses mounts, namespaces, keys, BPF, chroot and io_uring", () => {
      for (const each of ["mount", "unshare", "setns", "bpf", "keyctl", "chroot", "io_uring_setup"] as const)
        assert.equal(answer(each), refused, each);
      assert.equal(answer("clone", 0x10000011), refused);
      assert.equal(answer("clone3"), unknown);
    });
    test("refuses other socket families and input injected into a terminal", () => {
      for (const family of [0, 3, 17, 38, 40])
        assert.equal(answer("socket", family), refused, String(family));
      for (const request of [0x5412, 0x541c])
        assert.equal(answer("ioctl", 0, request), refused, String(request));
    });
    test("refuses unix sockets where the machine's network is shared, and no others", () => {
      const shared = seccompFilter({ network: true, architecture: name }) ?? Buffer.alloc(0);
      const number = numbers.socket[index] ?? 0;
      const answers = [1, 2, 10, 16, 40].map((family) =>
        run(shared, { architecture, number, args: [family] }),
      );
      assert.deepEqual(answers, [refused, allowed, allowed, allowed, refused]);
    });
    test("kills calls with another architecture's numbers", () => {
      for (const other of [0x40000003, 0x40000028])
        assert.equal(run(filter, { architecture: other, number: 0 }), killed);
    });
  });

test("seccompFilter refuses x32 calls", () => {
  const filter = seccompFilter({ network: false, architecture: "x64" }) ?? Buffer.alloc(0);
  assert.equal(run(filter, { architecture: 0xc000003e, number: 0x40000000 + 165 }), refused);
});
test("seccompFilter gives no filter for an unknown processor", () => {
  assert.equal(seccompFilter({ network: false, architecture: "ia32" }), undefined);
});
