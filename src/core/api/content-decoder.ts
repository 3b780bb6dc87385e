// gzip, deflate and Brotli bodies. We ask for none of them, yet gateways send them. What could be decoded before a
// fault is handed on before the fault; pausing keeps a bomb from unfolding into memory.
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
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
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return undefined;
  if (name === "gzip" || name === "x-gzip") return through(createGunzip(), decoded);
  if (name === "br") return through(createBrotliDecompress(), decoded);
  if (name === "deflate") return eitherDeflate(decoded);
  return unreadable(decoded);
}

function unreadable(decoded: Decoded): Decoder {
  const fail = () => decoded.fail(new ApiError({ at: "damaged" }));
  return { write: fail, end: fail, pause() {}, resume() {}, stop() {} };
}

type Unzip = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>;

function through(unzip: Unzip, decoded: Decoded): Decoder {
  unzip.on("data", (bytes: Buffer) => decoded.data(bytes));
  unzip.on("end", () => decoded.end());
  unzip.on("error", (error) => decoded.fail(error));
  return {
    write: (bytes) => void unzip.write(bytes),
    end: () => void unzip.end(),
    pause: () => void unzip.pause(),
    resume: () => void unzip.resume(),
    stop: () => void unzip.destroy(),
  };
}

/** "deflate" means the zlib format, but some send it raw; the first byte tells. */
function eitherDeflate(decoded: Decoded): Decoder {
  let chosen: Decoder | undefined;
  return {
    write(bytes) {
      chosen ??= through((bytes[0] ?? 0) % 16 === 8 ? createInflate() : createInflateRaw(), decoded);
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
