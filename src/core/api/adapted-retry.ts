// What one operation does about refusals: what a refusal's words are about is left out or changed (adapt-request.ts), and the
// request goes once more. What helped is known of the origin from then on (capabilities.ts). Sends nothing itself.
import { message } from "../messages/message.ts";
import { adapt, isUnexplained, type Offered } from "./adapt-request.ts";
import type { Call } from "./call.ts";
import { type Found, plainly, type Route, stricter } from "./capabilities.ts";
import type { Fault } from "./fault.ts";
import type { ReplyEvent } from "./reply.ts";

/** Enough for every optional field and tool shape to be refused once. */
const maxAdaptations = 12;

export class AdaptedRetry {
  readonly #call: Pick<Call, "capabilities" | "address" | "probes">;
  readonly #route: Route;
  #adaptations = 0;
  /** Nobody said what was wrong: tried without all that the interface does not show, and learned if that is answered. */
  #trial: { readonly found: Found; readonly unshown: readonly string[] } | undefined;

  constructor(call: Pick<Call, "capabilities" | "address" | "probes">, route: Route) {
    this.#call = call;
    this.#route = route;
  }

  /** In which form the next request goes. */
  async found(): Promise<Found> {
    return this.#trial?.found ?? (await this.#call.capabilities.of(this.#origin));
  }

  /** The request was answered as it went. Tells what is changed for good. */
  async answered({ unshown, values }: Offered): Promise<readonly ReplyEvent[]> {
    const { capabilities } = this.#call;
    const trial = this.#trial;
    this.#trial = undefined;
    capabilities.settle(this.#origin, unshown);
    if (trial !== undefined) await capabilities.learn(this.#origin, trial.found);
    const effort = values.find(({ path }) => path === "reasoning.effort")?.value;
    if (effort !== undefined) await capabilities.learnEffort(this.#origin, effort);
    if (trial === undefined) return [];
    return [{ type: "adapted", field: trial.unshown.join(", "), note: message("notePlain") }];
  }

  /** `undefined`: the request is not worth another try in another form. Else what is told of the change. */
  async refused(fault: Fault, offered: Offered, found: Found): Promise<readonly ReplyEvent[] | undefined> {
    if (fault.at !== "status" || (fault.status !== 400 && fault.status !== 422)) return undefined;
    const { capabilities, probes } = this.#call;
    if (probes !== true && this.#adaptations < maxAdaptations) {
      this.#adaptations++;
      const adaptation = adapt(fault.words, offered, found);
      if (adaptation !== undefined) {
        if (this.#trial !== undefined) this.#trial = { ...this.#trial, found: adaptation.found };
        else await this.#learn(adaptation.found);
        return [{ type: "adapted", field: adaptation.field, note: adaptation.note }];
      }
      const { unshown, optional } = offered;
      const isOpen = isUnexplained(fault.words, offered) && !capabilities.isSettled(this.#origin, unshown);
      if (this.#trial === undefined && isOpen) {
        const left = unshown.filter((name) => optional.includes(name));
        this.#trial = { found: plainly(this.#route, found, left), unshown };
        return [];
      }
    }
    if (this.#trial !== undefined) capabilities.settle(this.#origin, this.#trial.unshown);
    return undefined;
  }

  /** Another request may have learned something since this one was made. */
  async #learn(found: Found): Promise<void> {
    const { capabilities } = this.#call;
    await capabilities.learn(this.#origin, stricter(await capabilities.of(this.#origin), found));
  }

  get #origin(): string {
    return this.#call.address.origin;
  }
}
