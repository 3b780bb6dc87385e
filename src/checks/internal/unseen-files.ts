// Which files of a proposal the compiler has not looked at, by the state that it keeps of its program.
import { open, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { runTask } from "../../util/background.ts";
import { findingUnseen, nameInState } from "../judge.ts";

/** The list is at the beginning of the file. */
const maxBytes = 8_000_000;
/** What the compiler can read, whether its configuration includes it or not. */
const sources = /\.[cm]?[jt]sx?$/i;

/**
 * Finds proposed files that a run of the compiler has not read. The compiler lists the files of its program in its
 * incremental state, which is written anyway; printing them would cost megabytes of output. Returns nothing if the
 * state has an unknown format, so that nothing is reported.
 */
export async function unseenFiles(
  state: { readonly file: string; readonly folder: string },
  place: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const wanted = paths.filter((path) => sources.test(path));
  if (wanted.length === 0) return [];
  const text = await beginningOf(state.file).catch(() => "");
  // Names are relative to the location of the state.
  const places = new Set([place, await realpath(place).catch(() => place)]);
  const names = new Map(
    wanted.flatMap((path) =>
      [...places].map((each) => [nameInState(relative(state.folder, join(each, path))), path] as const),
    ),
  );
  return runTask(findingUnseen, { text, wanted: names }, text.length);
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
