// What a tool of others has answered, as text for the model. It comes from foreign code, so nothing about it is sure.
import * as vscode from "vscode";

/** Far more than is sent of it; the rest is not even put together. */
const mostCharacters = 1024 * 1024;

/** `withImages`: they go along by themselves, so that none is left out. */
export function textOfResult(result: unknown, withImages = false): string {
  const content = isObject(result) && Array.isArray(result["content"]) ? result["content"] : [];
  const texts: string[] = [];
  let room = mostCharacters;
  let others = 0;
  for (const part of content) {
    const text = textOf(part);
    if (text === undefined) others += imageOf(part) === undefined || !withImages ? 1 : 0;
    else if (room > 0) {
      texts.push(text.slice(0, room));
      room -= text.length;
    }
  }
  if (others > 0)
    texts.push(`[${others} ${others === 1 ? "part" : "parts"} of the answer are not text and are left out.]`);
  const whole = texts.join("\n");
  return whole.trim() === "" ? "The tool ended without an answer." : whole;
}

/** Pictures among what a tool has answered, as data URLs. */
export function imagesOfResult(result: unknown): string[] {
  const content = isObject(result) && Array.isArray(result["content"]) ? result["content"] : [];
  return content.flatMap((part) => imageOf(part) ?? []);
}

/** Newer than the oldest VS Code that we run in, so known by its form alone. */
export function imageOf(part: unknown): string | undefined {
  const { mimeType, data } = isObject(part) ? part : {};
  const isImage = typeof mimeType === "string" && /^image\/[\w.+-]+$/.test(mimeType);
  if (!isImage || !(data instanceof Uint8Array)) return undefined;
  return `data:${mimeType};base64,${Buffer.from(data).toString("base64")}`;
}

/** What VS Code's own tools answer with: a tree of pieces, of which the texts are what a model reads. */
function textOfTree(value: unknown): string {
  const texts: string[] = [];
  const waiting: unknown[] = [isObject(value) ? value["node"] : undefined];
  let room = mostCharacters;
  while (waiting.length > 0 && room > 0) {
    const node = waiting.pop();
    if (!isObject(node)) continue;
    const { text, lineBreakBefore, children } = node;
    if (typeof text === "string") {
      texts.push(lineBreakBefore && texts.length > 0 ? "\n" : "", text.slice(0, room));
      room -= text.length;
    }
    if (Array.isArray(children)) for (const child of children.toReversed()) waiting.push(child);
  }
  return texts.join("");
}

function textOf(part: unknown): string | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return String(part.value);
  if (part instanceof vscode.LanguageModelPromptTsxPart) return textOfTree(part.value);
  if (!isObject(part)) return undefined;
  // Newer than the oldest VS Code that we run in, so known by its form alone.
  const { mimeType, data } = part;
  const isText = typeof mimeType === "string" && /^text\/|[/+]json$/.test(mimeType);
  return isText && data instanceof Uint8Array ? Buffer.from(data).toString("utf8") : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
