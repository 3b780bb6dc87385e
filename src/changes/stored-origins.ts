// Which conversations have changed a file, including those of other windows and earlier days.
import type { FileName } from "../patch/model.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { type AppliedWrite, appliedIn, type ChangeStore } from "./change-store.ts";
import { linesWrittenBy, type Written } from "./line-origins.ts";
import { hashOf, isSameFile } from "./proposal.ts";

/** A conversation as the list of conversations has it. */
interface KeptConversation {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
}

interface OriginsDeps {
  /** Newest first. */
  list(): Promise<readonly KeptConversation[]>;
  changes(id: string): Pick<ChangeStore, "read" | "get">;
}

export interface Origin {
  readonly conversation: KeptConversation;
  readonly written: Written;
}

/** Older conversations are skipped, because a hover is waiting for the result. */
const maxConversations = 200;
/** A larger change set is skipped. */
const maxLetters = 4_000_000;

/** Finds the conversations that have changed a file by reading their storage. It opens and changes none of them. */
export class Origins {
  readonly #deps: OriginsDeps;
  readonly #known = new Map<string, { readonly of: string; readonly writes: readonly AppliedWrite[] }>();

  constructor(deps: OriginsDeps) {
    this.#deps = deps;
  }

  /** The edits of this file by all conversations except these, oldest first. */
  async writtenIn(file: FileName, except: ReadonlySet<string>): Promise<readonly Origin[]> {
    const all = (await this.#deps.list()).slice(0, maxConversations);
    const found: Origin[] = [];
    const nextStep = createYieldPoint();
    for (const conversation of all) {
      if (except.has(conversation.id)) continue;
      await nextStep();
      for (const applied of await this.#writesOf(conversation.id)) {
        const { after } = applied.write;
        if (after === undefined || !isSameFile(after.file, file)) continue;
        const text = await this.#deps.changes(conversation.id).get(after.text);
        if (text !== undefined) found.push({ conversation, written: linesWrittenBy(applied, text) });
      }
    }
    return found.toReversed();
  }

  async #writesOf(id: string): Promise<readonly AppliedWrite[]> {
    const spelled = await this.#deps.changes(id).read();
    if (spelled === "" || spelled.length > maxLetters) return [];
    const known = this.#known.get(id);
    const of = hashOf(spelled);
    if (known?.of === of) return known.writes;
    const writes = appliedIn(spelled);
    this.#known.set(id, { of, writes });
    return writes;
  }
}
