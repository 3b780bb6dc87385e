// The result of a tool of VS Code as text and images for the model, and its limits.
import * as vscode from "vscode";
import { forModel } from "../../util/sentences.ts";
import type { HostAnswer } from "../tool-table.ts";

/** Far more than is ever sent; the rest is not even assembled. */
const maxCharacters = 1024 * 1024;

/** In total; an image costs tokens in each further request. */
const maxImages = 8;

const maxImageBytes = 8 * 1024 * 1024;

/**
 * Converts the result of a foreign tool to text and images for the model. It comes from foreign code, so nothing about
 * it is certain.
 */
export function answerOf(result: unknown): HostAnswer & { readonly images: readonly string[] } {
  const content = isRecord(result) && Array.isArray(result["content"]) ? result["content"] : [];
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
  return {
    output:
      images.length > 0 ? forModel("The images follow.") : forModel("The tool ended without an answer."),
    images,
  };
}

/** Newer than the oldest supported VS Code, so recognized by its shape. */
export function imageOf(part: unknown, most = Number.POSITIVE_INFINITY): string | undefined {
  const { mimeType, data } = isRecord(part) ? part : {};
  const isImage = typeof mimeType === "string" && /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType);
  if (!isImage || !(data instanceof Uint8Array) || data.byteLength * 1.4 > most) return undefined;
  return `data:${mimeType};base64,${Buffer.from(data).toString("base64")}`;
}

/** VS Code's own tools return a tree of pieces, of which models read the texts. */
function textOfTree(value: unknown): string {
  const texts: string[] = [];
  const waiting: unknown[] = [isRecord(value) ? value["node"] : undefined];
  let room = maxCharacters;
  while (waiting.length > 0 && room > 0) {
    const node = waiting.pop();
    if (!isRecord(node)) continue;
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
  if (!isRecord(part)) return undefined;
  // Newer than the oldest supported VS Code, so recognized by its shape.
  const { mimeType, data } = part;
  const isText = typeof mimeType === "string" && /^text\/|[/+]json$/.test(mimeType);
  return isText && data instanceof Uint8Array ? Buffer.from(data).toString("utf8") : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
