// What a tool of others has answered, as text and pictures for the model. It comes from foreign code, so nothing about it
// is sure.
import * as vscode from "vscode";
import type { HostAnswer } from "../../core/tools/host-tool.ts";

/** Far more than is sent of it; the rest is not even put together. */
const maxCharacters = 1024 * 1024;
/** Together; a picture costs tokens with each request from now on. */
const maxImages = 8;
const maxImageBytes = 8 * 1024 * 1024;

export function answerOf(result: unknown): HostAnswer & { readonly images: readonly string[] } {
  const content = isObject(result) && Array.isArray(result["content"]) ? result["content"] : [];
  const texts: string[] = [];
  const images: string[] = [];
  let [room, imageRoom, others] = [maxCharacters, maxImageBytes, 0];
  for (const part of content) {
    const text = textOf(part);
    const url = text === undefined && images.length < maxImages ? imageOf(part, imageRoom) : undefined;
    if (url !== undefined) {
      images.push(url);
      imageRoom -= url.length;
    } else if (text === undefined) others += 1;
    else if (room > 0) {
      texts.push(text.slice(0, room));
      room -= text.length;
    }
  }
  if (others > 0)
    texts.push(
      `[${others} ${others === 1 ? "part of the result is" : "parts of the result are"} left out: only text and images can be read.]`,
    );
  const whole = texts.join("\n");
  if (whole.trim() !== "") return { output: whole, images };
  return { output: images.length > 0 ? "The images follow." : "The tool ended without an answer.", images };
}

/** Newer than the oldest VS Code that we run in, so known by its form alone. */
export function imageOf(part: unknown, most = Number.POSITIVE_INFINITY): string | undefined {
  const { mimeType, data } = isObject(part) ? part : {};
  const isImage = typeof mimeType === "string" && /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType);
  if (!isImage || !(data instanceof Uint8Array) || data.byteLength * 1.4 > most) return undefined;
  return `data:${mimeType};base64,${Buffer.from(data).toString("base64")}`;
}

/** What VS Code's own tools answer with: a tree of pieces, of which the texts are what a model reads. */
function textOfTree(value: unknown): string {
  const texts: string[] = [];
  const waiting: unknown[] = [isObject(value) ? value["node"] : undefined];
  let room = maxCharacters;
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
