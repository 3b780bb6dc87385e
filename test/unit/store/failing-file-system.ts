// A file system that fails when it is told to: at the n-th call, once or from then on, cleanly or after half the
// bytes have been written.
import { type FileSystem, nodeFileSystem, type OpenFile } from "../../../src/store/file-system.ts";

export interface Failure {
  /** 1 is the first call. */
  readonly at: number;
  readonly code: string;
  readonly forGood: boolean;
  /** A write puts half of its bytes in the file before it fails. */
  readonly half: boolean;
}

export interface FailingFileSystem extends FileSystem {
  readonly calls: number;
  /** What failed, by name. */
  readonly failed: readonly string[];
  heal(): void;
}

export function failingFileSystem(failure: Failure | undefined): FailingFileSystem {
  let calls = 0;
  let healed = false;
  const failed: string[] = [];

  function fails(name: string): boolean {
    calls += 1;
    if (healed || failure === undefined) return false;
    const now = failure.forGood ? calls >= failure.at : calls === failure.at;
    if (now) failed.push(name);
    return now;
  }

  const refusal = (name: string) =>
    Object.assign(new Error(`${failure?.code}: ${name}`), { code: failure?.code });

  function guard<A extends unknown[], T>(name: string, call: (...args: A) => Promise<T>) {
    return async (...args: A): Promise<T> => {
      if (fails(name)) throw refusal(name);
      return call(...args);
    };
  }

  const guardFile = (file: OpenFile): OpenFile => ({
    read: guard("read", file.read),
    write: async (bytes) => {
      if (!fails("write")) return file.write(bytes);
      if (failure?.half) await file.write(bytes.subarray(0, bytes.byteLength >> 1));
      throw refusal("write");
    },
    sync: guard("sync", file.sync),
    stat: guard("stat", file.stat),
    // A close that fails has closed all the same.
    close: async () => {
      await file.close();
      if (fails("close")) throw refusal("close");
    },
  });

  const fs = nodeFileSystem;
  return {
    open: guard("open", async (path, mode) => guardFile(await fs.open(path, mode))),
    read: guard("readFile", fs.read),
    stat: guard("stat", fs.stat),
    list: guard("list", fs.list),
    makeFolder: guard("makeFolder", fs.makeFolder),
    rename: guard("rename", fs.rename),
    copy: guard("copy", fs.copy),
    touch: guard("touch", fs.touch),
    remove: guard("remove", fs.remove),
    syncFolder: guard("syncFolder", fs.syncFolder),
    get calls() {
      return calls;
    },
    failed,
    heal() {
      healed = true;
    },
  };
}
