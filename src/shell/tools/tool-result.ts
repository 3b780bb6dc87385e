// What a tool of others has answered, as text for the model. It comes from foreign code, so nothing about it is sure.
import * as vscode from "vscode";

/** Far more than is sent of it; the rest is not even put together. */
const mostCharacters = 1024 * 1024;

export function textOfResult(result: unknown): string {
  const content = isObject(result) && Array.isArray(result["content"]) ? result["content"] : [];
  const texts: string[] = [];
  let room = mostCharacters;
  let others = 0;
  for (const part of content) {
    const text = textOf(part);
    if (text === undefined) others++;
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

function textOf(part: unknown): string | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return String(part.value);
  if (!isObject(part)) return undefined;
  // Newer than the oldest VS Code that we run in, so known by its form alone.
  const { mimeType, data } = part;
  const isText = typeof mimeType === "string" && /^text\/|[/+]json$/.test(mimeType);
  return isText && data instanceof Uint8Array ? Buffer.from(data).toString("utf8") : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
