// Makes a browser's screenshot small enough to ship: at most 256 colours, packed as tightly as zlib can. What a screen
// shows has few colours that matter; those between them, at the edges of letters, become the nearest one that is kept.
import { crc32, deflateSync, inflateSync } from "node:zlib";

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue; three bytes a dot. */
  readonly dots: Uint8Array;
}

const maxColours = 256;
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function smallPng(png: Buffer): Buffer {
  const { width, height, dots } = decode(png);
  const { palette, indices } = reduce(dots);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a dot, each the number of a colour.
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    paletteChunk(palette),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export const paletteChunk = (palette: readonly number[]): Buffer =>
  chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])));

/** What Chromium writes: eight bits a channel, with or without transparency, not interlaced. */
export function decode(png: Buffer): Picture {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const packed = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const dots = new Uint8Array(width * height * 3);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = unfiltered(
      packed[start] ?? 0,
      packed.subarray(start + 1, start + 1 + stride),
      above,
      channels,
    );
    for (let x = 0; x < width; x += 1)
      dots.set(row.subarray(x * channels, x * channels + 3), (y * width + x) * 3);
    above = row;
  }
  return { width, height, dots };
}

/** PNG specification, 9.2: each byte was written as its difference from what its neighbours foretell. */
function unfiltered(
  kind: number,
  line: Uint8Array,
  above: Uint8Array,
  step: number,
): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(line.length);
  for (let at = 0; at < line.length; at += 1) {
    const [left, up, corner] = [row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0];
    const foretold = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
    row[at] = (line[at] ?? 0) + foretold;
  }
  return row;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The colours that come most often stay; every other dot takes the nearest of them. */
export function reduce(dots: Uint8Array): { palette: readonly number[]; indices: Uint8Array } {
  const colours = new Uint32Array(dots.length / 3);
  const counts = new Map<number, number>();
  for (let dot = 0; dot < colours.length; dot += 1) {
    const [red = 0, green = 0, blue = 0] = dots.subarray(dot * 3, dot * 3 + 3);
    const colour = (red << 16) | (green << 8) | blue;
    colours[dot] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxColours)
    .map(([colour]) => colour);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, nearestOf(palette, colour)]));
  return { palette, indices: Uint8Array.from(colours, (colour) => nearest.get(colour) ?? 0) };
}

function nearestOf(palette: readonly number[], colour: number): number {
  let [best, found] = [Number.POSITIVE_INFINITY, 0];
  for (const [index, each] of palette.entries()) {
    const far = [16, 8, 0].reduce(
      (sum, bits) => sum + (((each >> bits) & 255) - ((colour >> bits) & 255)) ** 2,
      0,
    );
    if (far < best) [best, found] = [far, index];
  }
  return found;
}

export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
