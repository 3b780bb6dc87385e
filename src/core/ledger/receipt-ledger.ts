// Receipts of the service, as they came. They are recorded and never called valid: how a signature is verified is not
// published (interface, "Authentication" 5). What anybody can do is to compute the digests again.

import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { Receipt } from "../conversation/receipt.ts";
import { inEnglish } from "../messages/english.ts";
import { message } from "../messages/message.ts";
import type { FileSystem } from "../store/file-system.ts";
import { MonthlyLines } from "./monthly-lines.ts";

/** `conversation` and `turn` are absent for what belongs to none: estimates, deletions. */
export const ReceiptRow = z.extend(Receipt, {
  conversation: z.optional(z.string()),
  turn: z.optional(z.string()),
  /** From 1, within its turn; as in the usage ledger. */
  request: z.optional(z.number()),
});
export type ReceiptRow = Readonly<z.infer<typeof ReceiptRow>>;

export const receiptLedger = (fs: FileSystem, folder: string): MonthlyLines<ReceiptRow> =>
  new MonthlyLines({
    fs,
    folder: join(folder, "receipts"),
    read: (line) => ReceiptRow.safeParse(line).data,
    damaged: (lines) => message("receiptsDamaged", { lines }),
  });

/** One line each; the last field says what such a line proves, wherever it travels. */
export const receiptsJsonl = (rows: readonly ReceiptRow[]): string =>
  rows.map((row) => `${JSON.stringify({ ...row, status: inEnglish(recorded) })}\n`).join("");

export const recorded = message("receiptUnverified");

export interface Recomputed {
  readonly request: "same" | "different" | "not given";
  /** `cut`: the receipt covers only what had arrived. */
  readonly response: "same" | "different" | "not given" | "cut";
}

export function recompute(
  receipt: Receipt,
  bytes: { readonly request?: Uint8Array; readonly response?: Uint8Array },
): Recomputed {
  const response = compare(receipt.responseSha256, bytes.response);
  return {
    request: compare(receipt.requestSha256, bytes.request),
    response: response === "different" && !receipt.responseWhole ? "cut" : response,
  };
}

function compare(digest: string, bytes: Uint8Array | undefined): "same" | "different" | "not given" {
  if (bytes === undefined) return "not given";
  const same = createHash("sha256").update(bytes).digest("hex") === digest.toLowerCase();
  return same ? "same" : "different";
}
