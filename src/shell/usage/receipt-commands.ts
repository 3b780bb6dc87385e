// Receipts: taken along as they came, and their digests computed again where the bytes are still here. Nothing is
// called valid: how a signature is verified is not published (interface, "Authentication" 5).
import * as vscode from "vscode";
import type { ReceiptBytes } from "../../core/api/receipts.ts";
import { type ReceiptRow, receiptsJsonl, recompute, recorded } from "../../core/ledger/receipt-ledger.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Ledgers } from "../../services.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import { markdownTable, plainMarkdown } from "../markdown-table.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { UsageNode } from "./usage-nodes.ts";

export interface ReceiptCommandDeps {
  readonly ledgers: Ledgers;
  readonly bytes: Pick<ReceiptBytes, "of">;
  readonly documents: ReadOnlyDocuments;
  nodeOf(argument: unknown): UsageNode | undefined;
  save(name: string, bytes: Uint8Array): Promise<void>;
}

const maxShown = 200;

export function createReceiptCommands({ ledgers, bytes, documents, nodeOf, save }: ReceiptCommandDeps) {
  const t = vscode.l10n.t;

  async function all(): Promise<readonly ReceiptRow[]> {
    await ledgers.flush();
    const rows = await ledgers.receipts.since(0);
    if (rows.length === 0)
      throw new HumanError(t("There are no receipts. To request them, set patchbay.receipts.nonceHeader."));
    return rows;
  }

  async function exportReceipts(): Promise<void> {
    await save("patchbay-receipts.jsonl", Buffer.from(receiptsJsonl(await all())));
  }

  async function chosen(argument: unknown): Promise<readonly ReceiptRow[]> {
    const node = nodeOf(argument);
    return node?.kind === "receipt" ? [node.receipt] : all();
  }

  async function recomputeDigests(argument: unknown): Promise<void> {
    const rows = (await chosen(argument)).toReversed();
    const shown = rows.slice(0, maxShown);
    const results = shown.map((receipt) => ({
      receipt,
      ...recompute(receipt, bytes.of(receipt.nonce) ?? {}),
    }));
    const says = {
      same: t("same"),
      different: t("different"),
      "not given": t("bytes not available"),
      cut: t("different: the receipt covers a partial response"),
    };
    const table = results.map(({ receipt, request, response }) => [
      new Date(receipt.at).toLocaleString(vscode.env.language),
      // Of the nonce enough to find it by: the table has to fit beside the chat.
      `${receipt.operation} (${receipt.nonce.slice(0, 8)}…)`,
      says[request],
      says[response],
    ]);
    const head = [t("Time"), t("Operation"), t("Request"), t("Response")];
    await documents.show(
      t("Digests of receipts"),
      "md",
      [
        `# ${t("Recomputed digests of receipts")}`,
        t(
          "The bytes of recent requests are kept in memory by the window that sent them, and never written to the disk.",
        ),
        markdownTable(head, table, "words"),
        ...(rows.length > shown.length ? [t("Only the latest {0} are shown.", maxShown)] : []),
        plainMarkdown(
          t("A matching digest confirms the bytes, not the signature: {0}.", inReaderLanguage(recorded)),
        ),
      ].join("\n\n"),
    );
  }

  return {
    [commands.exportReceipts]: exportReceipts,
    [commands.recomputeReceipts]: recomputeDigests,
  };
}
