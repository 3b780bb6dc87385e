// Which files are pictures that a model can look at: by name, for whoever has to decide what to do with a file, and by
// their first bytes, for whoever sends one. A name proves nothing: a text under it would go out as it is.

export interface Picture {
  readonly bytes: Uint8Array;
  /** `image/png`. */
  readonly type: string;
}

export const pictureEndings: readonly string[] = ["png", "jpg", "jpeg", "gif", "webp"];

export const isNamedPicture = (path: string): boolean =>
  pictureEndings.includes(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");

/** `undefined` for what is none. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const begins = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (begins.startsWith("\x89PNG")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(begins)) return "image/gif";
  return /^RIFF.{4}WEBP$/s.test(begins) ? "image/webp" : undefined;
}

export const pictureUrl = ({ bytes, type }: Picture): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
