// What was used and what was signed for: the list, and what can be done with it.
import * as vscode from "vscode";
import type { Service } from "../../services.ts";
import { titleOf } from "../conversations/conversations-view.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { saveAs } from "../save-as.ts";
import { createReceiptCommands } from "./receipt-commands.ts";
import { createUsageCommands } from "./usage-commands.ts";
import { createUsageView } from "./usage-view.ts";

export function createUsage(service: Service, documents: ReadOnlyDocuments) {
  const { surfaces, ledgers, library, price, pricing, exchanges, receiptBytes } = service;
  const view = createUsageView({
    usageSince: (at) => ledgers.usage.since(at),
    receiptsSince: (at) => ledgers.receipts.since(at),
    hasAny: () => ledgers.usage.hasAny(),
    conversation: () => surfaces.session.state,
    titles: async () => new Map((await library.list()).map((summary) => [summary.id, titleOf(summary)])),
    now: Date.now,
    price,
    priceProblem() {
      const read = pricing();
      return "message" in read ? inReaderLanguage(read.message) : undefined;
    },
    onWritten: ledgers.onWritten,
  });
  const { nodeOf } = view;
  const session = () => surfaces.session;
  // A conversation has its name in the rows, and gets another one without any request.
  const listening = vscode.Disposable.from(
    surfaces.onSwitch(view.refresh),
    library.onDidChange(view.refresh),
  );
  return {
    commands: {
      ...createUsageCommands({
        session,
        ledgers,
        exchanges,
        pricing,
        documents,
        nodeOf,
        save: saveAs,
        now: Date.now,
      }),
      ...createReceiptCommands({ ledgers, bytes: receiptBytes, documents, nodeOf, save: saveAs }),
    },
    dispose: () => vscode.Disposable.from(view, listening).dispose(),
  };
}
