// Everything about a stream that may vary without changing what is said. Defaults are the de-facto standard.

export type Dialect =
  | "standard"
  | "open-responses"
  | "vllm"
  | "gateway"
  | "snapshot-only"
  | "items-only"
  | "deltas-only"
  | "custom-short";

export interface Form {
  readonly dialect: Dialect;
  /** Code points per delta; `words` is the default. */
  readonly deltas: number | "words";
  readonly interleaved: boolean;
  /** Milliseconds before each delta. */
  readonly pace: number;

  // The lines of server-sent events.
  readonly newline: "\n" | "\r\n" | "\r" | "mixed";
  readonly bom: boolean;
  /** Before every frame a comment, an id, a time for reconnecting, and an event without data. */
  readonly comments: boolean;
  readonly eventLines: boolean;
  /** `data:` without the space behind the colon. */
  readonly tight: boolean;
  /** JSON spread over several `data:` lines. */
  readonly multiline: boolean;
  readonly typeInData: boolean;
  readonly sequenceNumbers: boolean;
  readonly done: boolean | "default";
  readonly lastBlankLine: boolean;
  readonly contentType: string;

  // Chat completions.
  readonly lines: "sse" | "ndjson";
  readonly reasoningKey: "reasoning_content" | "reasoning" | "reasoning_details";
  readonly role: "first" | "late" | "never";
  /** What chunks without text have as `content`. */
  readonly emptyContent: "absent" | "null" | "empty";
  readonly chatCalls: "split" | "whole" | "no-index" | "name-late" | "no-id" | "interleaved";
  readonly chatUsage: "own-chunk" | "finish-chunk" | "in-choice" | "when-asked" | "none";
  readonly cachedTokens: "top" | "details" | "both";
  readonly finishReason: string | null | "default";
}

export const standardForm: Form = {
  dialect: "standard",
  deltas: "words",
  interleaved: false,
  pace: 0,
  newline: "\n",
  bom: false,
  comments: false,
  eventLines: true,
  tight: false,
  multiline: false,
  typeInData: true,
  sequenceNumbers: true,
  done: "default",
  lastBlankLine: true,
  contentType: "text/event-stream; charset=utf-8",
  lines: "sse",
  reasoningKey: "reasoning_content",
  role: "first",
  emptyContent: "absent",
  chatCalls: "split",
  chatUsage: "when-asked",
  cachedTokens: "both",
  finishReason: "default",
};

/** The pieces in which a text arrives. */
export function cutIntoDeltas(text: string, size: Form["deltas"]): readonly string[] {
  if (size === "words") return text.match(/\s*\S+\s*$|\s*\S+|\s+$/gu) ?? [];
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) =>
    letters.slice(index * size, (index + 1) * size).join(""),
  );
}
