// Questions of a running turn that wait for a person. The question goes out as an event; the answer comes in here,
// whoever brings it. Nothing is kept: a turn that ends takes its questions with it.
import type { Decision } from "../conversation/decision.ts";

export class PendingDecisions {
  readonly #open = new Map<string, (decision: Decision) => void>();

  /** Rejects when the turn is stopped. Ask before the event goes out, or a quick answer finds nobody. */
  ask(call: string, signal: AbortSignal): Promise<Decision> {
    const answer = new Promise<Decision>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      this.#open.set(call, (decision) => {
        signal.removeEventListener("abort", stop);
        resolve(decision);
      });
    }).finally(() => this.#open.delete(call));
    // Whoever asked may still be busy telling; a stop in that moment is no unhandled error.
    answer.catch(() => {});
    return answer;
  }

  /** False when nothing waits under this name: answered already, or never asked. */
  decide(call: string, decision: Decision): boolean {
    const resolve = this.#open.get(call);
    this.#open.delete(call);
    resolve?.(decision);
    return resolve !== undefined;
  }
}
