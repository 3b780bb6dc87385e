// Token counts: approximate and immediate from local knowledge, or exact from the service. Every exact count improves
// the local estimate, which is kept between windows.

import { join } from "node:path";
import { inEnglish } from "../conversation/english.ts";
import type { CleanContent, Content } from "../conversation/events.ts";
import type { Model } from "../conversation/models.ts";
import type { Problem } from "../conversation/problem.ts";
import { resendModeOf } from "../conversation/reduce.ts";
import type { TokenCount, Turn } from "../conversation/state.ts";
import type { ChatMessage, ContentPart, EstimateRequest, Outgoing } from "../service/request.ts";
import type { ServiceClient } from "../service/service-client.ts";
import { cacheFile } from "../store/documents.ts";
import type { FileSystem } from "../store/file-system.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import {
  type EstimateOf,
  estimateOf,
  type OmittedPart,
  type ServiceCount,
  ServiceEstimate,
} from "./internal/service-estimate.ts";
import { featuresOf, featuresOfRequest, type LocalCount, LocalEstimate } from "./local-estimate.ts";
import { addFeatures, type Features, TextCounter } from "./text-features.ts";

/**
 * One of several counts for one question: of each attachment separately, or of the same draft for each model. Each
 * takes a request, made only when a person asks for it; a failed one is a row without a number.
 */
export interface CountedPart {
  readonly label: string;
  readonly tokens?: number;
  readonly problem?: Problem;
}

interface NamedRequest {
  readonly label: string;
  readonly request: EstimateRequest;
}

/** Each message has a small overhead, so these need not add up to the count of the whole. */
export async function* countParts(
  parts: readonly NamedRequest[],
  count: (request: EstimateRequest, signal: AbortSignal) => Promise<ServiceCount>,
  signal: AbortSignal,
): AsyncGenerator<CountedPart> {
  for (const { label, request } of parts) {
    if (signal.aborted) return;
    const messages = request.messages.filter(hasContent);
    // Interface, "Chat message": content must not be empty.
    if (messages.length === 0) yield { label, tokens: 0 };
    else yield { label, ...(await count({ ...request, messages }, signal)) };
  }
}

export const forEachModel = (
  models: readonly { readonly id: string; readonly label: string }[],
  messages: readonly ChatMessage[],
): NamedRequest[] => models.map(({ id, label }) => ({ label, request: { model: id, messages } }));

/**
 * The features of a request for the local estimate: the same texts, so that a count of the request improves the
 * estimate.
 */
export function featuresOfMessages(messages: readonly ChatMessage[]): Features {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return featuresOf({ texts, images: parts.length - texts.length, messages: messages.length });
}

const hasContent = ({ content }: ChatMessage): boolean =>
  typeof content === "string" ? content.trim() !== "" : content.length > 0;

interface TokenCountDeps {
  readonly client: Pick<ServiceClient, "estimate">;
  readonly fs: FileSystem;
  readonly folder: string;
  readonly log: Log;
  /** Whether a person allowed drafts to be sent for counting before they are sent for a response. */
  mayAskUnasked(): boolean;
}

interface LabelledContent {
  readonly label: string;
  readonly content: CleanContent;
}

type Counting = AsyncGenerator<CountedPart>;

interface RequestCount {
  readonly count: ServiceCount;
  readonly leftOut: readonly OmittedPart[];
}

export interface TokenCounts extends Disposable {
  /** A local estimate. */
  about(model: string, contents: readonly Content[]): LocalCount;
  /** The same for a whole request. */
  aboutRequest(outgoing: Outgoing): LocalCount;
  /** The same for text that was scanned elsewhere, piece by piece. */
  aboutFeatures(model: string, features: Features): LocalCount;
  /** Improves the estimate with the service's count of a request. */
  learnRequest(outgoing: Outgoing, tokens: number): void;
  /** The service's own count if there is one for exactly this, otherwise the local estimate. */
  best(model: string, contents: readonly Content[]): TokenCount;
  /** Counts a whole request by the service; also returns the parts that a count cannot include. */
  ofRequest(outgoing: Outgoing, signal: AbortSignal): Promise<RequestCount>;
  byService(model: string, contents: readonly CleanContent[], signal: AbortSignal): Promise<ServiceCount>;
  /**
   * The same for each of these models, or for each of these parts by one model: one request each, yielded as they
   * arrive.
   */
  byModels(models: readonly Model[], contents: readonly CleanContent[], signal: AbortSignal): Counting;
  byParts(model: string, parts: readonly LabelledContent[], signal: AbortSignal): Counting;
  /** Sets the current draft: the service may count it once the typing pauses. */
  propose(model: string, contents: readonly CleanContent[]): void;
  /** Fires when the service has counted something. */
  onCount(listener: Listener<void>): Disposable;
  /** Resolves when everything learned is on disk. */
  saved(): Promise<void>;
}

export async function openTokenCounts(deps: TokenCountDeps): Promise<TokenCounts> {
  const { fs, log } = deps;
  const file = cacheFile(fs, join(deps.folder, "token-estimate.json"));
  const local = new LocalEstimate(await file.load());
  const counted = new Emitter<void>();
  let saving = Promise.resolve();

  const service = new ServiceEstimate({
    estimate: deps.client.estimate,
    mayAskUnasked: deps.mayAskUnasked,
    onCount({ model, messages }, tokens) {
      learn(model, featuresOfMessages(messages), tokens);
      counted.fire();
    },
    onPaused: ({ message }: Problem) =>
      log.info(`Drafts are no longer counted by themselves: ${inEnglish(message)}`),
  });

  function learn(model: string, features: Features, tokens: number): void {
    local.learn(model, features, tokens);
    saving = file
      .save(local.save())
      .catch((error: unknown) => log.warn(`The token estimate could not be saved: ${String(error)}`));
  }

  // Called at every keystroke: an attachment is scanned once, and of the draft only what changed.
  const writing = new TextCounter();
  const scanned = new WeakMap<Content, Features>();

  function featuresOfContent(content: Content): Features {
    const known = scanned.get(content);
    if (known !== undefined) return known;
    const features =
      content.kind === "text" ? writing.update(content.text) : featuresOf({ texts: [], images: 1 });
    scanned.set(content, features);
    return features;
  }

  function about(model: string, contents: readonly Content[]): LocalCount {
    const sum = featuresOf({ texts: [], messages: 1 });
    for (const content of contents) addFeatures(sum, featuresOfContent(content));
    return local.count(model, sum);
  }

  return {
    about,
    aboutRequest: (outgoing) => local.count(outgoing.model, featuresOfOutgoing(outgoing)),
    aboutFeatures: (model, features) => local.count(model, features),
    learnRequest: (outgoing, tokens) => learn(outgoing.model, featuresOfOutgoing(outgoing), tokens),
    best(model, contents) {
      const known = service.known(requestFor(model, contents));
      if (known !== undefined) return { tokens: known, exact: true };
      return { tokens: about(model, contents).tokens, exact: false };
    },
    async ofRequest(outgoing, signal) {
      const { request, leftOut } = asEstimate(outgoing);
      return { count: await service.count(request, signal), leftOut };
    },
    byService: (model, contents, signal) => service.count(requestFor(model, contents), signal),
    byModels: (models, contents, signal) =>
      countParts(
        forEachModel(models, requestFor("", contents).messages),
        (request, both) => service.count(request, both),
        signal,
      ),
    byParts: (model, parts, signal) =>
      countParts(
        parts.map(({ label, content }) => ({ label, request: requestFor(model, [content]) })),
        (request, both) => service.count(request, both),
        signal,
      ),
    propose: (model, contents) =>
      service.propose(contents.length === 0 ? undefined : requestFor(model, contents)),
    onCount: counted.on,
    saved: () => saving,
    dispose: () => service.dispose(),
  };
}

const featuresOfOutgoing = ({ route, request }: Outgoing): Features =>
  route === "chat" ? featuresOfMessages(request.messages) : featuresOfRequest(request);

const asEstimate = ({ model, route, request }: Outgoing): EstimateOf =>
  route === "chat"
    ? { request: { model, messages: request.messages }, leftOut: [] }
    : estimateOf(model, request);

function requestFor(model: string, contents: readonly Content[]) {
  const message: ChatMessage = { role: "user", content: contents.map(part) };
  return { model, messages: [plain(message)] };
}

/** Returns the same part for the same content, so that its key is computed only once. */
const parts = new WeakMap<Content, ContentPart>();

function part(content: Content): ContentPart {
  const known = parts.get(content);
  if (known !== undefined) return known;
  const made: ContentPart =
    content.kind === "text"
      ? { type: "text", text: content.text }
      : { type: "image_url", image_url: { url: content.url } };
  parts.set(content, made);
  return made;
}

/** Plain text is sent as a string, because not every service counts parts. */
function plain(message: ChatMessage): ChatMessage {
  const { content } = message;
  if (typeof content === "string" || content.some(({ type }) => type !== "text")) return message;
  const texts = content.map((each) => (each.type === "text" ? each.text : ""));
  return { ...message, content: texts.join("\n\n") };
}

/** The approximate number of tokens; 0 for an empty conversation. */
export type NextInputEstimate = (turns: readonly Turn[], model: string) => number;

type About = (model: string, contents: readonly Content[]) => number;

/** Approximate, for code and prose alike. */
const bytesPerToken = 4;

/**
 * Estimates the input of the next question, which includes the whole conversation so far (requirements J8). Uses what
 * the service reported for the last request and estimates only what came later or was never reported. Called at every
 * keystroke, so each turn is examined once, and none before the last report.
 */
export function createNextInputEstimate(about: About): NextInputEstimate {
  // A turn that has ended remains the same object.
  const contents = new WeakMap<Turn, readonly Content[]>();

  function estimated(turn: Turn, model: string): number {
    const known = contents.get(turn) ?? contentsOf(turn);
    contents.set(turn, known);
    return about(model, known) + attachedTokens(turn);
  }

  return (turns, model) => {
    let later = 0;
    for (let at = turns.length - 1; at >= 0; at -= 1) {
      const turn = turns[at];
      if (turn === undefined || resendModeOf(turn) === "nothing") continue;
      if (turn.compacts === true) {
        if (turn.status !== "done") continue;
        // Earlier turns are not sent any more; the summary replaces them.
        return later + summaryTokens(turn, about);
      }
      const reported = reportedOf(turn);
      if (reported !== undefined) return later + reported;
      later += estimated(turn, model);
    }
    return later;
  };
}

function summaryTokens(turn: Turn, about: About): number {
  const { output, reasoning = 0 } = turn.usage.at(-1) ?? {};
  return output === undefined ? about(turn.model, contentsOf(turn)) : Math.max(0, output - reasoning);
}

/** The reported tokens of its last request: everything before it, and its response. */
function reportedOf({ usage, route }: Turn): number | undefined {
  const { input, output = 0, reasoning = 0 } = usage.at(-1) ?? {};
  if (input === undefined) return undefined;
  // A chat model is sent its responses again, but not its reasoning.
  return input + (route === "chat" ? Math.max(0, output - reasoning) : output);
}

function contentsOf({ prompt, parts, attachments }: Turn): readonly Content[] {
  const answers = parts.flatMap((part) => {
    if (part.type === "text" || part.type === "refusal") return [part.text];
    return part.type === "tool" || part.type === "patch" ? [part.output ?? ""] : [];
  });
  const pictures = attachments.filter(({ kind, bytes }) => kind === "image" && bytes > 0);
  return [
    ...[prompt, ...answers].map((text) => ({ kind: "text", text }) as const),
    ...pictures.map(() => ({ kind: "image", url: "" }) as const),
  ];
}

const attachedTokens = ({ attachments }: Turn): number =>
  attachments.reduce((sum, { kind, bytes }) => sum + (kind === "image" ? 0 : bytes), 0) / bytesPerToken;
