// Refusals of files that a tool or an attachment names, and the checks that come before reading: where a name leads,
// and whether it is a picture.
import { inEnglish } from "../conversation/english.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { FileName } from "../patch/model.ts";
import { readPath, refusePathSize, shortPath } from "../patch/paths.ts";
import { trimEnd } from "../util/text.ts";

/**
 * Thrown by a tool that cannot do what it was asked. The message is written for the model, which may then ask
 * differently. It is neither a failure of the turn nor a bug.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly asMessage: Message;

  constructor(asMessage: Message) {
    super(inEnglish(asMessage));
    this.asMessage = asMessage;
  }
}

/** The file exceeds the size limit for reading. */
export class TooLarge extends Refusal {}

/** What people and the model are told of a file or a picture that is larger than `most` bytes. */
export const largerThan = (name: string, most: number): Message =>
  message("noteLarge", { name, size: most < 1_000_000 ? `${most / 1024} KiB` : `${most / 1_000_000} MB` });

/** Handler for a promise's `catch`: returns `undefined` if a file is too large and rethrows other errors. */
export function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof TooLarge)) throw error;
}

/** The file is not a text file. */
export class NotText extends Refusal {}

/** The file exists and may be read, but reading it failed. */
export class Unreadable extends Refusal {}

/** The file's name, or the target of its link, is on the list of files that are never sent. */
export class WithheldByName extends Refusal {
  /** The requested name and the link's target. */
  readonly paths: readonly string[];

  constructor(asMessage: Message, paths: readonly string[]) {
    super(asMessage);
    this.paths = paths;
  }
}

/** Refused by a person or a person's settings. */
export class Declined extends Refusal {}

/**
 * Converts a path written by the model or a person to a file name in the workspace, or refuses it. Applies the patch
 * engine's rules; additionally, a reader may name a folder.
 */
export function locate(typed: string, folders: readonly string[]): FileName {
  const refuse = (why: Message) => new Refusal(message("noteRefused", { name: shortPath(typed), why }));
  const tooLarge = refusePathSize(typed);
  if (tooLarge !== undefined) throw refuse(message(tooLarge));
  const path = typed.slice(0, 1) + trimEnd(typed.slice(1), "/\\");
  const [only, ...others] = folders;
  if (only !== undefined && others.length === 0 && (path === "" || path === "."))
    return { folder: only, path: "" };
  if (others.length > 0 && folders.includes(path)) return { folder: path, path: "" };
  const named = readPath(path, folders);
  if (named.kind === "denied") throw refuse(named.why);
  return named.file;
}

/** The reverse: the display path of a file name. */
export function pathOf({ folder, path }: FileName, folders: readonly string[]): string {
  if (folders.length < 2) return path === "" ? "." : path;
  return path === "" ? folder : `${folder}/${path}`;
}

// Pictures that a model can look at, by name, to decide what to do with a file, and by the first bytes, before sending
// one. A name alone proves nothing: a text with such a name would be sent unfiltered.

export interface Picture {
  readonly bytes: Uint8Array;
  /** `image/png`. */
  readonly type: string;
}

export const pictureEndings: readonly string[] = ["png", "jpg", "jpeg", "gif", "webp"];

export const isNamedPicture = (path: string): boolean =>
  pictureEndings.includes(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");

/** Returns `undefined` if it is not a picture. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const begins = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (begins.startsWith("\x89PNG")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(begins)) return "image/gif";
  return /^RIFF.{4}WEBP$/s.test(begins) ? "image/webp" : undefined;
}

export const pictureUrl = ({ bytes, type }: Picture): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
