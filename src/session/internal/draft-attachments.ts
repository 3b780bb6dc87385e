// The attachments of the question being written: each is read as soon as it is added, and what is stored of it with the
// draft is only what would be sent.

import type { CleanContent, Content } from "../../conversation/events.ts";
import {
  type Attachment,
  type DraftAttachment,
  type TokenCount,
  weightOf,
} from "../../conversation/state.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import { cleanQuote } from "../../tools/attached-text.ts";
import { factsOf, type ReadAttachment } from "../../tools/read-attachment.ts";
import type { Log } from "../../util/log.ts";
import { present } from "../../util/present.ts";

export interface DraftAttachmentDeps {
  look(spec: Attachment, signal: AbortSignal): Promise<ReadAttachment>;
  /** An estimate of the tokens without asking the service, where possible. */
  countTokens(content: Content): TokenCount | undefined;
  readonly log: Log;
  newId(): string;
  changed(): void;
}

export interface DraftPart {
  readonly label: string;
  readonly content: CleanContent;
}

interface Waiting {
  readonly wish: Attachment;
  readonly gone: AbortController;
  shown: DraftAttachment;
  /** What would be sent now; absent until it was read. */
  content?: CleanContent;
  /** Nothing of it is sent. */
  isRefused?: boolean;
  /** For an attachment that contains its text: the same with the text that is sent. */
  cleanWish?: Attachment | undefined;
}

/** More than a person can check. */
const most = 100;
const largestKept = 64 * 1024;

/**
 * The attachments that go out with the next question, each with what is known of it by now. An attachment is read as
 * soon as it is added, so that the person sees its size and what will be left out; it is read again when it is sent.
 */
export class DraftAttachments {
  readonly #deps: DraftAttachmentDeps;
  readonly #waiting = new Map<string, Waiting>();

  constructor(deps: DraftAttachmentDeps) {
    this.#deps = deps;
  }

  get list(): readonly DraftAttachment[] {
    return [...this.#waiting.values()].map(({ shown }) => shown);
  }

  /** The attachments in the order in which they were added, as far as they were read. */
  get parts(): readonly DraftPart[] {
    return [...this.#waiting.values()].flatMap(({ shown, content }) =>
      content === undefined ? [] : [{ label: shown.label, content }],
    );
  }

  /** Attaching the same thing twice has no effect. */
  add(spec: Attachment): void {
    const text = JSON.stringify(spec);
    const known = [...this.#waiting.values()].some((each) => JSON.stringify(each.wish) === text);
    if (known || this.#waiting.size >= most) return;
    const id = this.#deps.newId();
    const { kind, label } = factsOf(spec);
    const waiting: Waiting = { wish: spec, gone: new AbortController(), shown: { id, kind, label } };
    this.#waiting.set(id, waiting);
    this.#deps.changed();
    this.#look(id, waiting).catch((error: unknown) =>
      this.#deps.log.error("An attachment could not be looked at.", error),
    );
  }

  remove(id: string): void {
    this.#waiting.get(id)?.gone.abort();
    if (this.#waiting.delete(id)) this.#deps.changed();
  }

  get wishes(): readonly Attachment[] {
    return [...this.#waiting.values()].map(({ wish: spec }) => spec);
  }

  /**
   * What is stored with a draft. Leaves out whatever is too large (images, complete logs) and all text that would not
   * be sent, because stored drafts are on the disk and can be exported.
   */
  get small(): readonly Attachment[] {
    return [...this.#waiting.values()]
      .flatMap((waiting) => keptOf(waiting) ?? [])
      .filter((spec) => JSON.stringify(spec).length <= largestKept);
  }

  /** Removes and returns all attachments, because they are sent now. */
  take(): readonly Attachment[] {
    const { wishes } = this;
    if (wishes.length === 0) return wishes;
    for (const { gone } of this.#waiting.values()) gone.abort();
    this.#waiting.clear();
    this.#deps.changed();
    return wishes;
  }

  async #look(id: string, waiting: Waiting): Promise<void> {
    const { look, countTokens, changed } = this.#deps;
    const { view, content, isRefused = false, cleanWish } = await look(waiting.wish, waiting.gone.signal);
    if (!this.#waiting.has(id)) return;
    Object.assign(waiting, { content, isRefused, cleanWish });
    const { kind, label, notes } = view;
    const count = view.bytes === 0 ? { tokens: 0, exact: false } : countTokens(content);
    waiting.shown = { ...present({ id, kind, label, notes }), ...weightOf(count) };
    changed();
  }
}

function keptOf({ wish: spec, content, isRefused, cleanWish }: Waiting): Attachment | undefined {
  const isFile = "place" in spec && spec.place !== undefined;
  if ("text" in spec) return cleanWish ?? (isRefused === true || isFile ? undefined : cleanAtOnce(spec));
  if (spec.kind !== "image") return spec;
  return isRefused === true || (isFile && content === undefined) ? undefined : spec;
}

/** The cleaned attachment before it was read, if its text alone determines what is sent. */
function cleanAtOnce(spec: Extract<Attachment, { text: string }>): Attachment | undefined {
  // Which parts of a diff belong to files that are never sent is known only after it was read.
  if (spec.kind === "diff") return keptUnread(spec);
  if (spec.text.length > largestKept) return undefined;
  return { ...spec, text: takeOutSecrets(spec.text).text };
}

/** One line alone may be a quoted comment of SQL or a counted variable. */
const headsOfFiles = /^(?:diff --|rename |copy )|^--- .*\r?\n\+\+\+ /m;

/** What is stored of a question's own attachment until it is asked: not what only reading it would take out. */
export function keptUnread(spec: Attachment): Attachment | undefined {
  if (isByName(spec)) return spec;
  const isQuoted = spec.kind === "diff" && !headsOfFiles.test(spec.text);
  if (!isQuoted || spec.text.length > largestKept) return undefined;
  return { ...spec, text: cleanQuote(spec.text) };
}

/** The attachment is read when it is sent, so its content need not be stored until then. */
const isByName = (spec: Attachment): boolean => !("text" in spec || "url" in spec);
