// Which conversations have left something in a file, those of other windows and of earlier days among them: read from where
// they are kept. Nothing of it is opened or changed.
import type { FileName } from "../patch/model.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { appliedIn, type ChangeStore } from "./kept-changes.ts";
import { linesWrittenBy, type Written } from "./line-provenance.ts";
import { type CallShare, isSameFile } from "./proposal.ts";
import { hashOf } from "./text-store.ts";

/** A conversation, as far as a list has it. */
export interface KeptConversation {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
}

export interface OriginsDeps {
  /** The newest first. */
  list(): Promise<readonly KeptConversation[]>;
  changes(id: string): Pick<ChangeStore, "read" | "get">;
}

export interface Origin {
  readonly conversation: KeptConversation;
  readonly written: Written;
}

/** Older ones are not looked at while somebody waits for a hover. */
const maxConversations = 200;
/** Of one that is larger nothing is said. */
const maxLetters = 4_000_000;

export class Origins {
  readonly #deps: OriginsDeps;
  readonly #known = new Map<string, { readonly of: string; readonly shares: readonly CallShare[] }>();

  constructor(deps: OriginsDeps) {
    this.#deps = deps;
  }

  /** Of all conversations but these, the oldest first. */
  async writtenIn(file: FileName, except: ReadonlySet<string>): Promise<readonly Origin[]> {
    const all = (await this.#deps.list()).slice(0, maxConversations);
    const found: Origin[] = [];
    const nextStep = inSteps();
    for (const conversation of all) {
      if (except.has(conversation.id)) continue;
      await nextStep();
      for (const share of await this.#sharesOf(conversation.id)) {
        if (share.after === undefined || !isSameFile(share.after.file, file)) continue;
        const text = await this.#deps.changes(conversation.id).get(share.after.text);
        if (text !== undefined) found.push({ conversation, written: linesWrittenBy(share, text) });
      }
    }
    return found.toReversed();
  }

  async #sharesOf(id: string): Promise<readonly CallShare[]> {
    const spelled = await this.#deps.changes(id).read();
    if (spelled === "" || spelled.length > maxLetters) return [];
    const known = this.#known.get(id);
    const of = hashOf(spelled);
    if (known?.of === of) return known.shares;
    const shares = appliedIn(spelled);
    this.#known.set(id, { of, shares });
    return shares;
  }
}
