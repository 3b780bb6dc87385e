// Compressed answers: right ones, cut ones, and bombs.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Delivery } from "./delivery.ts";
import { cutAfter, fault, joined } from "./delivery-faults.ts";
import type { Fault } from "./script.ts";

const compressors = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

export type Encoding = keyof typeof compressors;

/** The whole body, compressed and said to be. */
export function compressed(encoding: Encoding = "gzip"): Fault {
  return fault(encoding, (delivery) =>
    encoded(delivery, encoding, [{ bytes: compressors[encoding](joined(delivery)) }]),
  );
}

/** The first n compressed bytes, then the connection closes. */
export function cutCompressed(bytes: number, encoding: Encoding = "gzip"): Fault {
  const whole = compressed(encoding);
  const cut = cutAfter(bytes);
  return fault(`cut ${encoding}`, (delivery) => cut.change(whole.change(delivery)));
}

/** One line of so many MiB in a few KiB per MiB less: members of a gzip stream, each a MiB of the same letter. */
export function gzipBomb(mebibytes: number): Fault {
  const start = gzipSync('data: {"type":"response.output_text.delta","delta":"');
  const member = gzipSync(Buffer.alloc(1024 * 1024, "a"));
  return fault("gzip bomb", (delivery) =>
    encoded(delivery, "gzip", [
      { bytes: start },
      ...Array.from({ length: mebibytes }, () => ({ bytes: member })),
    ]),
  );
}

function encoded(delivery: Delivery, encoding: Encoding, frames: Delivery["frames"]): Delivery {
  return { ...delivery, headers: [...delivery.headers, ["content-encoding", encoding]], frames };
}
