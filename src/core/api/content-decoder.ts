// gzip, deflate and Brotli bodies. We ask for none of them, yet gateways send them. What could be decoded before a
// fault is handed on before the fault; pausing keeps a bomb from unfolding into memory.
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from "node:zlib";
import { ApiError } from "./fault.ts";

export interface Decoder {
  write(bytes: Uint8Array): void;
  end(): void;
  pause(): void;
  resume(): void;
  stop(): void;
}

export interface Decoded {
  data(bytes: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
}

/** `undefined` when the body is plain. */
export function decoderFor(encoding: string | undefined, decoded: Decoded): Decoder | undefined {
  const names = (encoding ?? "").split(",").map((each) => each.trim().toLowerCase());
  const [name, ...more] = names.filter((each) => each !== "" && each !== "identity");
  if (name === undefined) return undefined;
  if (more.length > 0) return unreadable(decoded);
  if (name === "gzip" || name === "x-gzip") return through(createGunzip(), gunzipSync, decoded);
  if (name === "br") return through(createBrotliDecompress(), undefined, decoded);
  if (name === "deflate") return eitherDeflate(decoded);
  return unreadable(decoded);
}

function unreadable(decoded: Decoded): Decoder {
  const fail = () => decoded.fail(new ApiError({ at: "damaged" }));
  return { write: fail, end: fail, pause() {}, resume() {}, stop() {} };
}

type UnzipSync = (input: Uint8Array, options: { finishFlush: number; maxOutputLength: number }) => Buffer;
type Unzip = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>;

/** A fault takes along what was decoded with it: of a small body that may be all there is. */
const rescuable = { input: 64 * 1024, output: 2 ** 20 };

function through(unzip: Unzip, again: UnzipSync | undefined, decoded: Decoded): Decoder {
  let input: Uint8Array[] = [];
  let inputBytes = 0;
  let outputBytes = 0;
  unzip.on("data", (bytes: Buffer) => {
    outputBytes += bytes.length;
    decoded.data(bytes);
  });
  unzip.on("end", () => decoded.end());
  unzip.on("error", (error) => {
    const lost = again && rescue(Buffer.concat(input), again).subarray(outputBytes);
    if (lost !== undefined && lost.length > 0) decoded.data(lost);
    decoded.fail(error);
  });
  return {
    write(bytes) {
      inputBytes += bytes.length;
      if (inputBytes > rescuable.input) input = [];
      else input.push(bytes);
      unzip.write(bytes);
    },
    end: () => void unzip.end(),
    pause: () => void unzip.pause(),
    resume: () => void unzip.resume(),
    stop: () => void unzip.destroy(),
  };
}

/** What the longest readable beginning comes to. */
function rescue(input: Uint8Array, again: UnzipSync): Uint8Array {
  let output: Uint8Array = new Uint8Array();
  let [from, to] = [0, input.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: rescuable.output };
      output = again(input.subarray(0, middle), options);
      from = middle;
    } catch {
      to = middle - 1;
    }
  }
  return output;
}

/** "deflate" means the zlib format, but some send it raw; the first byte tells. */
function eitherDeflate(decoded: Decoded): Decoder {
  let chosen: Decoder | undefined;
  return {
    write(bytes) {
      chosen ??=
        (bytes[0] ?? 0) % 16 === 8
          ? through(createInflate(), inflateSync, decoded)
          : through(createInflateRaw(), inflateRawSync, decoded);
      chosen.write(bytes);
    },
    end() {
      if (chosen === undefined) decoded.end();
      else chosen.end();
    },
    pause: () => chosen?.pause(),
    resume: () => chosen?.resume(),
    stop: () => chosen?.stop(),
  };
}
