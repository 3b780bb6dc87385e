// How many tokens something has: at once and about, from what is known here, or exactly, by asking the service. Every
// exact count teaches the local estimate, which is kept between windows.

import { join } from "node:path";
import { type EstimateOf, estimateOf, type LeftOut } from "../api/estimate.ts";
import type { ChatMessage, ContentPart, Outgoing } from "../api/request.ts";
import type { ServiceClient } from "../api/service-client.ts";
import type { TokenCount } from "../conversation/attachment.ts";
import type { CleanContent, Content } from "../conversation/content.ts";
import type { Model } from "../conversation/models.ts";
import type { Problem } from "../conversation/problem.ts";
import { inEnglish } from "../messages/english.ts";
import type { FileSystem } from "../store/file-system.ts";
import { replaceText } from "../store/replace-file.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import type { LocalCount } from "./calibration.ts";
import { type CountedPart, countParts, featuresOfMessages, forEachModel } from "./count-parts.ts";
import { featuresOf, LocalEstimate } from "./local-estimate.ts";
import { featuresOfRequest } from "./request-features.ts";
import { type ServiceCount, ServiceEstimate } from "./service-estimate.ts";
import { TextCounter } from "./text-counter.ts";
import { addFeatures, type Features } from "./text-features.ts";

export interface TokenCountDeps {
  readonly client: Pick<ServiceClient, "estimate">;
  readonly fs: FileSystem;
  readonly folder: string;
  readonly log: Log;
  /** Whether a person allowed drafts to be sent for counting before they are sent for an answer. */
  mayAskUnasked(): boolean;
}

interface LabelledContent {
  readonly label: string;
  readonly content: CleanContent;
}

type Counting = AsyncGenerator<CountedPart>;

export interface RequestCount {
  readonly count: ServiceCount;
  readonly leftOut: readonly LeftOut[];
}

export interface TokenCounts extends Disposable {
  /** Here and now. */
  about(model: string, contents: readonly Content[]): LocalCount;
  /** The same of a whole request. */
  aboutRequest(outgoing: Outgoing): LocalCount;
  /** The same of what was scanned elsewhere, piece by piece. */
  aboutFeatures(model: string, features: Features): LocalCount;
  /** What the service has counted of a request teaches what is said of the next. */
  learnRequest(outgoing: Outgoing, tokens: number): void;
  /** The service's own count where it has made one of exactly this, else ours. */
  best(model: string, contents: readonly Content[]): TokenCount;
  /** A whole request, by the service, and what of it a count cannot hold. */
  ofRequest(outgoing: Outgoing, signal: AbortSignal): Promise<RequestCount>;
  byService(model: string, contents: readonly CleanContent[], signal: AbortSignal): Promise<ServiceCount>;
  /** The same by each of these models, or each of these parts by one: one request each, as they come. */
  byModels(models: readonly Model[], contents: readonly CleanContent[], signal: AbortSignal): Counting;
  byParts(model: string, parts: readonly LabelledContent[], signal: AbortSignal): Counting;
  /** This is being written: it may be counted by the service once the writing pauses. */
  propose(model: string, contents: readonly CleanContent[]): void;
  /** The service has counted something. */
  onCount(listener: Listener<void>): Disposable;
  /** Resolves when everything learnt is on the disk. */
  saved(): Promise<void>;
}

export async function openTokenCounts(deps: TokenCountDeps): Promise<TokenCounts> {
  const { fs, log } = deps;
  const path = join(deps.folder, "token-estimate.json");
  const local = new LocalEstimate(await load(fs, path));
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
    saving = saving
      .then(() => fs.makeFolder(deps.folder))
      .then(() => replaceText(fs, path, JSON.stringify(local.save())))
      .catch((error: unknown) => log.warn(`The token estimate could not be saved: ${String(error)}`));
  }

  // Asked at every key: what is attached is scanned once, and of what is being written only what has changed.
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

/** The same part for the same thing: what it is known by is worked out once. */
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

/** Text alone goes as text: not every service counts parts. */
function plain(message: ChatMessage): ChatMessage {
  const { content } = message;
  if (typeof content === "string" || content.some(({ type }) => type !== "text")) return message;
  const texts = content.map((each) => (each.type === "text" ? each.text : ""));
  return { ...message, content: texts.join("\n\n") };
}

async function load(fs: FileSystem, path: string): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
  } catch {
    // Never saved, or damaged: it is learnt again.
    return undefined;
  }
}
