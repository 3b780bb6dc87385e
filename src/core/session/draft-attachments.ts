// What will go out with the next question: wishes, each with what is known of it by now. It is looked at as soon as it
// is attached, so that a person sees its size and what will be left out; what is sent is read again when it is sent.
import {
  type Attachment,
  type DraftAttachment,
  type TokenCount,
  weightOf,
} from "../conversation/attachment.ts";
import type { CleanContent, Content } from "../conversation/content.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { factsOf, type ReadAttachment } from "../tools/read-attachment.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";

export interface DraftAttachmentDeps {
  look(wish: Attachment, signal: AbortSignal): Promise<ReadAttachment>;
  /** How many tokens it will be, as far as can be told here and now. */
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
  /** What would be sent of it now; absent until it was looked at. */
  content?: CleanContent;
  /** Nothing of it goes. */
  isRefused?: boolean;
  /** Of one that brings its words: the same with the words that go. */
  cleanWish?: Attachment | undefined;
}

/** More than a person can look over. */
const most = 100;
const largestKept = 64 * 1024;

export class DraftAttachments {
  readonly #deps: DraftAttachmentDeps;
  readonly #waiting = new Map<string, Waiting>();

  constructor(deps: DraftAttachmentDeps) {
    this.#deps = deps;
  }

  get list(): readonly DraftAttachment[] {
    return [...this.#waiting.values()].map(({ shown }) => shown);
  }

  /** As they were when they were attached; what was not looked at yet is not there yet. */
  get parts(): readonly DraftPart[] {
    return [...this.#waiting.values()].flatMap(({ shown, content }) =>
      content === undefined ? [] : [{ label: shown.label, content }],
    );
  }

  /** The same thing twice is one thing. */
  add(wish: Attachment): void {
    const text = JSON.stringify(wish);
    const known = [...this.#waiting.values()].some((each) => JSON.stringify(each.wish) === text);
    if (known || this.#waiting.size >= most) return;
    const id = this.#deps.newId();
    const { kind, label } = factsOf(wish);
    const waiting: Waiting = { wish, gone: new AbortController(), shown: { id, kind, label } };
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
    return [...this.#waiting.values()].map(({ wish }) => wish);
  }

  /**
   * What is kept with a draft: not what is too large for that, pictures and whole logs, and no word that would not be
   * sent, since what is kept lies on the disk and can be exported.
   */
  get small(): readonly Attachment[] {
    return [...this.#waiting.values()]
      .flatMap((waiting) => keptOf(waiting) ?? [])
      .filter((wish) => JSON.stringify(wish).length <= largestKept);
  }

  /** They go out now. */
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

function keptOf({ wish, content, isRefused, cleanWish }: Waiting): Attachment | undefined {
  const isFile = "place" in wish && wish.place !== undefined;
  if ("text" in wish) return cleanWish ?? (isRefused === true || isFile ? undefined : cleanAtOnce(wish));
  if (wish.kind !== "image") return wish;
  return isRefused === true || (isFile && content === undefined) ? undefined : wish;
}

/** Before it was looked at, where its words alone tell what would go. */
function cleanAtOnce(wish: Extract<Attachment, { text: string }>): Attachment | undefined {
  // What a diff says of files that are never sent is known once it was looked at.
  if (wish.kind === "diff" || wish.text.length > largestKept) return undefined;
  return { ...wish, text: takeOutSecrets(wish.text).text };
}
