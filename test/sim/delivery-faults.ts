// Faults of a connection, as functions from one delivery to another; several compose. Each is a part of a script:
// `sim.reply(text("Done."), cutAfter(40))`, `sim.fault(resetBeforeHeaders())`.
import type { Delivery, Frame } from "./delivery.ts";
import type { Fault } from "./script.ts";

export function fault(name: string, change: (delivery: Delivery) => Delivery): Fault {
  return { part: "fault", name, change };
}

/** How a cut ends: `close` and `reset` drop the connection, `clean` ends the body properly, `hang` sends no more. */
export type Cut = "close" | "reset" | "clean" | "hang";

const cutEnding = { close: "close", reset: "reset", clean: "finish", hang: "hang" } as const;

export function resetBeforeHeaders(): Fault {
  return fault("reset before headers", (delivery) => ({ ...delivery, start: "reset" }));
}

export function closeBeforeHeaders(): Fault {
  return fault("close before headers", (delivery) => ({ ...delivery, start: "close" }));
}

/** Takes the request and never says anything. */
export function blackHole(): Fault {
  return fault("black hole", (delivery) => ({ ...delivery, start: "hang" }));
}

export function resetAfterHeaders(): Fault {
  return fault("reset after headers", (delivery) => ({
    ...announced(delivery),
    frames: [],
    ending: "reset",
  }));
}

/** The first n bytes of status and headers, then the end. */
export function cutHeaders(bytes: number, how: Exclude<Cut, "clean"> = "close"): Fault {
  return fault(`cut after ${bytes} bytes of the headers`, (delivery) => ({
    ...delivery,
    headBytes: bytes,
    ending: cutEnding[how],
  }));
}

/** The first n bytes of the body, then the end. */
export function cutAfter(bytes: number, how: Cut = "close"): Fault {
  return fault(`cut after ${bytes} bytes`, (delivery) => ({
    ...(how === "clean" ? delivery : announced(delivery)),
    frames: firstBytes(framesOf(delivery), bytes),
    ending: cutEnding[how],
  }));
}

/** The first n events (or chunks) of the stream, then the end. */
export function cutAfterEvents(count: number, how: Cut = "close"): Fault {
  return fault(`cut after ${count} events`, (delivery) => ({
    ...(how === "clean" ? delivery : announced(delivery)),
    frames: framesOf(delivery).slice(0, count),
    ending: cutEnding[how],
  }));
}

/** Every byte (or every n bytes) in a write and an HTTP chunk of its own. */
export function splitEvery(size = 1): Fault {
  return fault(`split every ${size} bytes`, (delivery) => ({
    ...delivery,
    frames: framesOf(delivery).flatMap((frame) => slices(frame, size)),
  }));
}

/** The body in two writes, cut before byte n. */
export function splitAt(at: number): Fault {
  return fault(`split at ${at}`, (delivery) => {
    const bytes = joined(delivery);
    return { ...delivery, frames: [{ bytes: bytes.subarray(0, at) }, { bytes: bytes.subarray(at) }] };
  });
}

/** The whole body in one write. */
export function inOnePiece(): Fault {
  return fault("in one piece", (delivery) => ({ ...delivery, frames: [{ bytes: joined(delivery) }] }));
}

export function slowHeaders(milliseconds: number): Fault {
  return fault("slow headers", (delivery) => ({ ...delivery, pauseBeforeHead: milliseconds }));
}

/** Headers at once, the first byte of the body later. */
export function slowFirstByte(milliseconds: number): Fault {
  return fault("slow first byte", (delivery) => {
    const [first, ...rest] = framesOf(delivery);
    return first === undefined
      ? delivery
      : { ...delivery, frames: [{ ...first, pauseBefore: milliseconds }, ...rest] };
  });
}

/** n bytes, a pause, n bytes, a pause … */
export function drip(bytes: number, milliseconds: number): Fault {
  return fault("drip", (delivery) => ({
    ...delivery,
    frames: framesOf(delivery)
      .flatMap((frame) => slices(frame, bytes))
      .map((frame) => ({ ...frame, pauseBefore: milliseconds })),
  }));
}

/** The whole body at once, the end of the message later. */
export function slowEnd(milliseconds: number): Fault {
  return fault("slow end", (delivery) => ({
    ...delivery,
    frames: [...framesOf(delivery), { bytes: new Uint8Array(), pauseBefore: milliseconds }],
  }));
}

/** Pieces of 1 to n bytes after pauses of up to so many milliseconds, the same for the same seed. */
export function unevenly(bytes: number, milliseconds: number, seed = 1): Fault {
  return fault("uneven", (delivery) => {
    const rest = joined(delivery);
    const frames: Frame[] = [];
    let at = 0;
    // Steps of the golden ratio look random and are not.
    const roll = (limit: number) => Math.floor((((frames.length + seed) * 0.618_033_988_749) % 1) * limit);
    while (at < rest.length) {
      const end = at + 1 + roll(bytes);
      frames.push({ bytes: rest.subarray(at, end), pauseBefore: roll(milliseconds + 1) });
      at = end;
    }
    return { ...delivery, frames };
  });
}

/** After the complete body the connection stays open, silent, without an end of the message. */
export function keepOpen(): Fault {
  return fault("keep open", (delivery) => ({ ...delivery, ending: "hang" }));
}

/** A Content-Length that is wrong by so many bytes. */
export function wrongLength(difference: number): Fault {
  return fault("wrong length", (delivery) => ({
    ...delivery,
    framing: wholeLength(delivery) + difference,
    ending: "close",
  }));
}

/** Everything is sent but the last chunk of HTTP; then the connection closes. */
export function missingTerminator(): Fault {
  return fault("missing terminator", (delivery) => ({ ...delivery, framing: "chunked", ending: "close" }));
}

/** Bytes behind the end of the message. */
export function trailing(bytes = "HTTP/1.1 200 OK\r\n\r\nmore"): Fault {
  return fault("trailing bytes", (delivery) => ({ ...delivery, trailing: Buffer.from(bytes) }));
}

/** Answers well and keeps the connection; the next request on it is met by a reset, unseen. */
export function staleAfterwards(): Fault {
  return fault("stale keep-alive", (delivery) => ({ ...delivery, thenStale: true }));
}

/** n comment lines before every event, so many milliseconds apart. */
export function heartbeats(count: number, milliseconds = 0): Fault {
  const beat: Frame = { bytes: Buffer.from(": ping\n\n"), pauseBefore: milliseconds };
  return fault("heartbeats", (delivery) => ({
    ...delivery,
    frames: framesOf(delivery).flatMap((frame) => [...Array.from({ length: count }, () => beat), frame]),
  }));
}

/** Holds the stream before event n (or byte, after a split) until `release` is called. */
export function holdBefore(frame: number): Fault & { readonly release: () => void } {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = fault(`hold before ${frame}`, (delivery) => ({
    ...delivery,
    frames: framesOf(delivery).map((each, index) => (index === frame ? { ...each, gate } : each)),
  }));
  return { ...held, release };
}

/** Raw bytes before event n: a broken record, invalid UTF-8, anything. */
export function insertBefore(frame: number, bytes: string | Uint8Array): Fault {
  return fault(`insert before ${frame}`, (delivery) => {
    const frames = framesOf(delivery);
    return {
      ...delivery,
      frames: [...frames.slice(0, frame), { bytes: Buffer.from(bytes) }, ...frames.slice(frame)],
    };
  });
}

/** A header more, or another value of one that is there. */
export function withHeader(name: string, value: string): Fault {
  return fault(`header ${name}`, (delivery) => ({
    ...delivery,
    headers: [...delivery.headers.filter(([each]) => each !== name), [name, value]],
  }));
}

/** One line that never ends, until the client has enough or the limit is reached. */
export function endlessLine(limitMiB = 256): Fault {
  const filler = Buffer.alloc(64 * 1024, "a");
  return fault("endless line", (delivery) => ({
    ...delivery,
    frames: function* () {
      yield { bytes: Buffer.from('data: {"type":"response.output_text.delta","delta":"') };
      for (let sent = 0; sent < limitMiB * 16; sent += 1) yield { bytes: filler };
    },
  }));
}

export function framesOf(delivery: Delivery): readonly Frame[] {
  return typeof delivery.frames === "function" ? [...delivery.frames()] : delivery.frames;
}

export function joined(delivery: Delivery): Buffer {
  return Buffer.concat(framesOf(delivery).map((frame) => frame.bytes));
}

/** The length of the whole body stays announced, although less will come. */
function announced(delivery: Delivery): Delivery {
  return delivery.framing === "length" ? { ...delivery, framing: wholeLength(delivery) } : delivery;
}

function wholeLength(delivery: Delivery): number {
  return framesOf(delivery).reduce((sum, frame) => sum + frame.bytes.length, 0);
}

function firstBytes(frames: readonly Frame[], count: number): readonly Frame[] {
  let left = count;
  const kept: Frame[] = [];
  for (const frame of frames) {
    if (left <= 0) break;
    kept.push({ ...frame, bytes: frame.bytes.subarray(0, left) });
    left -= frame.bytes.length;
  }
  return kept;
}

function slices(frame: Frame, size: number): readonly Frame[] {
  const count = Math.ceil(frame.bytes.length / size);
  return Array.from({ length: count }, (_, index) => {
    const bytes = frame.bytes.subarray(index * size, (index + 1) * size);
    return index === 0 ? { ...frame, bytes } : { bytes };
  });
}
