// Bytes ↔ text for the disk workspace, so that bytes nobody touched come back the same: UTF-8, UTF-16 with its mark,
// and for everything else the single-byte Windows table, which maps every byte both ways.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1252 or utf-8";

/** Undefined when the bytes are not text. */
export function decode(bytes: Buffer): { text: string; encoding: Encoding } | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) {
    return { text: bytes.toString("utf16le"), encoding: "utf-16le" };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) {
    return { text: Buffer.from(bytes).swap16().toString("utf16le"), encoding: "utf-16be" };
  }
  if (bytes.includes(0)) return undefined;
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding: "utf-8",
    };
  } catch {
    const text = new TextDecoder("windows-1252").decode(bytes);
    const mixed = /[\u00C3\u00C2\u00E2]/.test(text);
    return { text, encoding: mixed ? "windows-1252 or utf-8" : "windows-1252" };
  }
}

export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  return Buffer.from(Array.from(text, (char) => byteOf(char)));
}

const bytesByChar = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

function byteOf(char: string): number {
  const byte = bytesByChar.get(char);
  if (byte === undefined) throw new Error(`The file's encoding has no ${char}.`);
  return byte;
}
