// Bytes ↔ text for the disk workspace, so that bytes nobody touched come back the same: UTF-8, UTF-16 with its mark,
// and for everything else the single-byte Windows table, which maps every byte both ways.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "unknown";

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
    const latin = bytes.toString("latin1");
    const text = latin.replace(/[\x80-\x9f]/g, (char) => table[char.charCodeAt(0) - 0x80] ?? char);
    // Sequences of UTF-8 or of a double-byte table, which hardly occur in a text of single bytes.
    const several = /[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}/.test(latin);
    return { text, encoding: several ? "unknown" : "windows-1252" };
  }
}

export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  return Buffer.from(Array.from(text, (char) => byteOf(char)));
}

/** Where the encoding is not known, nothing foreign can be written but what the file shows how to write. */
export function isWritable(added: string, base: string, encoding: Encoding): boolean {
  if (encoding !== "unknown") return true;
  const foreign = added.match(/[^\0-\x7f]+/g) ?? [];
  return foreign.every((run) => base.includes(run));
}

/** The bytes 0x80 to 0x9F; the rest of the table is that of Unicode. */
const table = [..."€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"];

function byteOf(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  const byte = table.includes(char) ? 0x80 + table.indexOf(char) : code;
  if (byte > 0xff || (code < 0xa0 && code >= 0x80 && !table.includes(char))) {
    throw new Error(`The file's encoding has no ${char}.`);
  }
  return byte;
}
