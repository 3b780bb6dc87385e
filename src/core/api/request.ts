// What the layers above ask the service for, and how that would go out. Types alone: pieces that must survive byte for byte
// travel as raw JSON.

export interface ResponsesRequest {
  /** `svc-k3` unless the user insists on another (interface: "Only `svc-k3` is supported"). */
  readonly model?: string;
  /** Raw JSON of each input item, in order: history, tool calls, tool results, the new message. */
  readonly input: readonly string[];
  readonly instructions?: string;
  /** Raw JSON of each tool definition. */
  readonly tools?: readonly string[];
  /** Tokens to generate, not input plus output. */
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  /** What whoever asks has put into these two by itself; the interface does not show what they hold. */
  readonly reasoning?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, unknown>>;
  readonly include?: readonly WebSearchInclude[];
  readonly cacheTtl?: "5m" | "1h";
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId?: string;
  /** True unless set. */
  readonly stream?: boolean;
}

export type WebSearchInclude = "web_search_call.action.sources" | "web_search_call.results";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** True unless set. */
  readonly stream?: boolean;
}

export interface EstimateRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly ContentPart[];
  readonly name?: string;
}

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export type Composable =
  | { readonly route: "responses"; readonly request: ResponsesRequest }
  | { readonly route: "chat"; readonly request: ChatRequest };

/** What a question would send; of a turn with tools, its first request. */
export type Outgoing = Composable & { readonly model: string };

export interface Composed {
  readonly method: "POST";
  readonly url: string;
  /** Without the key: who shows them writes `Authorization` as they like. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly what would be sent, unless the key stands in it: that is masked. */
  readonly body: string;
}
