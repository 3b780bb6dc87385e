// A short moving picture of a page as an animated PNG, which GitHub and the galleries show as an image: screenshots in
// one palette, of which each frame has only the rectangle that has changed.
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { chunk, decode, type Picture, paletteChunk, reduce, signature } from "./small-png.ts";

interface Frame {
  readonly picture: Picture;
  /** How long it is shown, in milliseconds. */
  shown: number;
}

export interface Film {
  /** Takes a frame that is shown this long. */
  take(shown: number): Promise<void>;
  /** Takes frames until the work is done. What takes long is shown shorter than it was. */
  during(work: Promise<unknown>): Promise<void>;
  develop(): { readonly bytes: Buffer; readonly seconds: number };
}

/** Between two frames of something that moves. */
const pause = 250;
/** Waiting in which nothing moves says nothing. */
const longestStill = 500;
/** How often it is played; then the last frame stays, so that nothing moves for ever beside a text. */
const plays = 3;

export function createFilm(page: Pick<Page, "screenshot" | "waitForTimeout">): Film {
  const frames: Frame[] = [];
  async function shoot(shown: number, isWaiting: boolean): Promise<void> {
    const picture = decode(await page.screenshot({ caret: "hide" }));
    const last = frames.at(-1);
    if (last === undefined || Buffer.compare(last.picture.dots, picture.dots) !== 0)
      frames.push({ picture, shown });
    else
      last.shown = isWaiting
        ? Math.max(last.shown, Math.min(last.shown + shown, longestStill))
        : last.shown + shown;
  }
  return {
    take: (shown) => shoot(shown, false),
    async during(work) {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      // A failure is thrown below; until then it is nobody's.
      done.catch(() => undefined);
      while (!isDone) {
        await shoot(pause, true);
        await Promise.race([done, page.waitForTimeout(pause)]).catch(() => undefined);
      }
      await done;
    },
    develop: () => ({
      bytes: animatedPng(frames),
      seconds: frames.reduce((sum, { shown }) => sum + shown, 0) / 1_000,
    }),
  };
}

/** The APNG specification: a PNG whose first picture is followed by others over parts of it. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error("There are no frames.");
  const { width, height } = first.picture;
  if (frames.some(({ picture }) => picture.width !== width || picture.height !== height))
    throw new Error("The frames differ in size.");
  const size = first.picture.dots.length / 3;
  const { palette, indices } = reduce(Buffer.concat(frames.map(({ picture }) => picture.dots)));
  const numbers = frames.map((_, at) => indices.subarray(at * size, (at + 1) * size));
  let sequence = 0;
  const parts = frames.flatMap(({ shown }, at): Buffer[] => {
    const now = numbers[at] ?? new Uint8Array(size);
    const before = numbers[at - 1];
    const area = before === undefined ? { x: 0, y: 0, width, height } : changedArea(before, now, width);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    for (const [index, value] of [area.width, area.height, area.x, area.y].entries())
      control.writeUInt32BE(value, 4 + index * 4);
    control.writeUInt16BE(Math.min(Math.round(shown), 65_535), 20);
    control.writeUInt16BE(1_000, 22);
    const data = deflateSync(rowsOf(now, width, area), { level: 9, memLevel: 9 });
    if (before === undefined) return [chunk("fcTL", control), chunk("IDAT", data)];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [chunk("fcTL", control), chunk("fdAT", Buffer.concat([number, data]))];
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(frames.length, 0);
  animation.writeUInt32BE(plays, 4);
  return Buffer.concat([
    ...[signature, chunk("IHDR", head), chunk("acTL", animation), paletteChunk(palette)],
    ...[...parts, chunk("IEND", Buffer.alloc(0))],
  ]);
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle around what differs; one dot if nothing does. */
function changedArea(before: Uint8Array, now: Uint8Array, width: number): Area {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let dot = 0; dot < now.length; dot += 1) {
    if (before[dot] === now[dot]) continue;
    const [x, y] = [dot % width, Math.floor(dot / width)];
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  return top < 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Each line of the area begins with its filter, which is none: colours are numbers. */
function rowsOf(dots: Uint8Array, width: number, area: Area): Buffer {
  const rows = Buffer.alloc(area.height * (area.width + 1));
  for (let y = 0; y < area.height; y += 1) {
    const start = (area.y + y) * width + area.x;
    rows.set(dots.subarray(start, start + area.width), y * (area.width + 1) + 1);
  }
  return rows;
}
