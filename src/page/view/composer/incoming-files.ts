// Reads what is pasted or dropped: URIs of files go to the host unchanged, pictures and short texts as their content.
import { type Attachment, maxDropped, maxPictureBytes } from "../../../conversation/state.ts";

export interface Incoming {
  readonly attachments: readonly Attachment[];
  readonly uris: readonly string[];
  /** Names of files that are too large, or neither a picture nor text. */
  readonly refused: readonly string[];
  /** There were more files than are accepted at once. */
  readonly isCut: boolean;
}

const largestText = 1024 * 1024;

/** Whether a paste contains pictures or files; pasted text is left to the input. */
export const hasFiles = (data: DataTransfer | null): boolean => (data?.files.length ?? 0) > 0;

/** Whether a drag carries files. Its contents become readable only when it is dropped. */
export const bringsFiles = (data: DataTransfer | null): boolean =>
  data?.types.some((type) => type === "Files" || type.endsWith("uri-list")) === true;

/** Must be called while the event is handled: afterwards the browser clears the data. */
export function readIncoming(data: DataTransfer): Promise<Incoming> {
  const uris = addressesIn(data);
  const files = uris.length > 0 ? [] : [...data.files];
  const isCut = uris.length + files.length > maxDropped;
  return readFiles(files.slice(0, maxDropped)).then((read) => ({
    ...read,
    uris: uris.slice(0, maxDropped),
    isCut,
  }));
}

function addressesIn(data: DataTransfer): readonly string[] {
  const list = data.getData("application/vnd.code.uri-list") || data.getData("text/uri-list");
  return list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#") && URL.canParse(line));
}

async function readFiles(files: readonly File[]): Promise<Pick<Incoming, "attachments" | "refused">> {
  const attachments: Attachment[] = [];
  const refused: string[] = [];
  for (const file of files) {
    // A folder looks like a file until it is read.
    const attachment = await readFile(file).catch(() => undefined);
    if (attachment === undefined) refused.push(file.name);
    else attachments.push(attachment);
  }
  return { attachments, refused };
}

async function readFile(file: File): Promise<Attachment | undefined> {
  const name = file.name.slice(0, 1000);
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(file.type)) {
    return file.size > maxPictureBytes ? undefined : { kind: "image", name, url: await dataUrl(file) };
  }
  if (file.size > largestText) return undefined;
  const text = await file.text();
  // A file that contains these characters is not text, whatever its name.
  return text.includes("\0") || text.includes("\uFFFD") ? undefined : { kind: "text", name, text };
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read.")));
    reader.readAsDataURL(file);
  });
}
