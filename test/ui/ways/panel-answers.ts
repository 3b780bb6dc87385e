// What the service says on the tours through the panel: everything an answer can hold, and every way it can end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "../../sim/http-answers.ts";
import { call, item, type Part, patchCall, reasoning, search, text, usage } from "../../sim/script.ts";
import type { VsCode } from "../support/vscode.ts";

/** More than is sent unasked (see settings.ts). */
export const longQuestion = "word ".repeat(40_000);

/** Reasoning, a search, text with a reference and a link, a long block of code for a file and a line for the terminal. */
export function richAnswer({ workspace }: VsCode): Part[] {
  const file = readFileSync(join(workspace, "src/discount.ts"), "utf8").trimEnd();
  const code = [
    "// src/discount.ts",
    file.replace("quantity > bulk", "quantity >= bulk"),
    "",
    "export function reduced(line: Line): number {",
    "  return line.cents * line.quantity - bulkDiscount(line);",
    "}",
  ].join("\n");
  return [
    reasoning("**Looking at the discount**\n\nTen is not more than ten."),
    search("quantity discounts", [{ url: "https://example.com/ten", title: "From ten on" }]),
    text(
      `See \`src/cart.ts:3\`, then:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nTry it:\n\n\`\`\`sh\nnpm test\n\`\`\`\n\nTen count now.`,
    ),
    usage({ input: 48_212, cached: 40_090, written: 6_020, output: 1_187, reasoning: 912 }),
  ];
}

/** One tool that runs without asking, and one that asks first. */
export const toolCalls = [call("read_file", { path: "src/price.ts" }), call("problems")];

export const proposal = patchCall(
  [
    "*** Begin Patch",
    "*** Update File: src/discount.ts",
    "@@",
    "-  if (line.quantity > bulkQuantity) {",
    "+  if (line.quantity >= bulkQuantity) {",
    "*** End Patch",
    "",
  ].join("\n"),
);

/** A message without a word. */
export const nothing = item({
  type: "message",
  id: "msg_none",
  role: "assistant",
  status: "completed",
  content: [],
});

/** An answer, but to what? */
export const gibberish = json({ words: "One, two, three." });

/** Runs in the page: no test can put a picture of another program on the clipboard. */
export function pastePicture(input: HTMLElement | SVGElement): void {
  const data = new DataTransfer();
  const bytes = atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  );
  data.items.add(
    new File([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], "shot.png", { type: "image/png" }),
  );
  input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}

/** Runs in the page: nor can it drag a file of another program. */
export function dropFile(input: HTMLElement | SVGElement): void {
  const data = new DataTransfer();
  data.items.add(new File(["Words of a file."], "notes.txt", { type: "text/plain" }));
  input.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
