// Copies some bytes of one open file to the end of another, a piece at a time.
import type { OpenFile } from "./file-system.ts";

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const piece = 1024 * 1024;

export async function copyStretch(from: OpenFile, to: OpenFile, stretch: Stretch): Promise<void> {
  const space = Buffer.allocUnsafe(Math.min(piece, stretch.to - stretch.from));
  for (let position = stretch.from; position < stretch.to; ) {
    const count = await from.read(space.subarray(0, stretch.to - position), position);
    if (count === 0) return;
    await to.write(space.subarray(0, count));
    position += count;
  }
}
