// An object as one line of JSON with a checksum as its last field: a line that was changed or cut off is known as such.
import { crc32 } from "node:zlib";
import { asObject, parseJson } from "../util/json.ts";

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
