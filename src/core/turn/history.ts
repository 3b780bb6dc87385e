// A conversation's history in the form that is sent: Responses items as raw JSON, append-only, byte for byte.
// "Output items are passed back unchanged" (interface, "Input items"): a parsed copy would lose unknown fields
// and move bytes, and with them the cached prefix. Chat messages are derived from the same items.

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export const userItem = (text: string): string =>
  JSON.stringify({ type: "message", role: "user", content: text });

export const assistantItem = (text: string): string =>
  JSON.stringify({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

/** The full history on each call (interface, chat completions). A message without text is left out: content must not be empty. */
export function toMessages(instructions: string, items: readonly string[]): ChatMessage[] {
  const messages: ChatMessage[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  for (const raw of items) {
    const item: unknown = JSON.parse(raw);
    if (!isRecord(item) || item["type"] !== "message") continue;
    const content = textOf(item["content"]);
    const role = item["role"] === "assistant" ? "assistant" : "user";
    if (content.trim() !== "") messages.push({ role, content });
  }
  return messages;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
