// The client as it was, except that what belongs to no turn – counts, deletions, checks of the connection – is handed on
// to be written down: receipts, and the figures of a check's replies. What belongs to a turn travels as events.
import type { CheckNotes } from "../api/connection-check.ts";
import type { Receipt } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";

export function keepReceipts(client: ServiceClient, notes: CheckNotes): ServiceClient {
  /** Who asks for the same deletion twice at once is given the same outcome twice. */
  const kept = new WeakSet<Receipt>();
  const noting = async <T extends { readonly receipt?: Receipt }>(asked: Promise<T>): Promise<T> => {
    const outcome = await asked;
    const { receipt } = outcome;
    if (receipt !== undefined && !kept.has(receipt)) {
      kept.add(receipt);
      notes.receipt(receipt);
    }
    return outcome;
  };
  return {
    ...client,
    estimate: (request, signal) => noting(client.estimate(request, signal)),
    deleteFile: (id, signal) => noting(client.deleteFile(id, signal)),
    checkKey: (signal) => noting(client.checkKey(signal)),
    checkConnection: (ask, signal) => client.checkConnection(ask, signal, notes),
    detectFeatures: (ask, signal) => client.detectFeatures(ask, signal, notes),
  };
}
