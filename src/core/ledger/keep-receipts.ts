// The client as it was, except that receipts of what belongs to no turn – counts, deletions – are handed on. Receipts
// of turns travel as events.
import type { ServiceClient } from "../api/service-client.ts";
import type { Receipt } from "../conversation/receipt.ts";

export function keepReceipts(client: ServiceClient, keep: (receipt: Receipt) => void): ServiceClient {
  /** Who asks for the same deletion twice at once is given the same outcome twice. */
  const kept = new WeakSet<Receipt>();
  const noting = async <T extends { readonly receipt?: Receipt }>(asked: Promise<T>): Promise<T> => {
    const outcome = await asked;
    const { receipt } = outcome;
    if (receipt !== undefined && !kept.has(receipt)) {
      kept.add(receipt);
      keep(receipt);
    }
    return outcome;
  };
  return {
    ...client,
    estimate: (request, signal) => noting(client.estimate(request, signal)),
    deleteFile: (id, signal) => noting(client.deleteFile(id, signal)),
  };
}
