// An object as one line of JSON with a checksum as its last field: a line that was changed or cut off is known as such.
// What could not be read is kept beside its place.
import { createHash } from "node:crypto";
import { dirname, extname } from "node:path";
import { crc32 } from "node:zlib";
import { asObject, parseJson } from "../util/json.ts";
import type { FileSystem } from "./file-system.ts";

const mark = ',"crc":"';
const sealLength = mark.length + 8 + '"}'.length;

const seal = (body: string): string => `${mark}${crc32(body).toString(16).padStart(8, "0")}"}`;

/** Of an object with at least one field, none of them called `crc`. */
export function sealed(value: object): string {
  const body = JSON.stringify(value).slice(0, -1);
  return body + seal(body);
}

/** `undefined`: it is not what was written. */
export function unsealed(text: string): Readonly<Record<string, unknown>> | undefined {
  const body = text.slice(0, -sealLength);
  return text.slice(-sealLength) === seal(body) ? asObject(parseJson(`${body}}`)) : undefined;
}

/** What a damage is known by: the same damage is kept, and told, once, whoever comes upon it. */
export const signOf = (damage: string | Uint8Array): string =>
  createHash("sha256").update(damage).digest("hex").slice(0, 16);

/** Copies the file beside its place, under a name made of the damage. Answers whether it is news. */
export async function keepDamaged(fs: FileSystem, path: string, sign: string): Promise<boolean> {
  const extension = extname(path);
  const aside = `${path.slice(0, path.length - extension.length)}.corrupt-${sign}${extension}`;
  if ((await fs.stat(aside)) !== undefined) return false;
  await fs.copy(path, aside);
  await fs.syncFolder(dirname(aside)).catch(() => undefined);
  return true;
}
