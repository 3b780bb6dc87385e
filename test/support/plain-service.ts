// The service by the product's own client, and the language models of VS Code without an editor, in plain data: what goes in
// and comes out knows nothing of our types.
import { randomUUID } from "node:crypto";
import { builtInModels, routeOf } from "../../src/conversation/models.ts";
import type { Problem } from "../../src/conversation/problem.ts";
import type { Usage } from "../../src/conversation/state.ts";
import { finalReply } from "../../src/service/reply.ts";
import {
  type ClientDeps,
  createServiceClient,
  type ServiceClient,
} from "../../src/service/service-client.ts";
import type { ClientSettings } from "../../src/service/settings.ts";
import { createLanguageModelChat } from "../../src/session/language-model-chat.ts";
import { silentLog } from "../../src/util/log.ts";
import { type PlainProblem, plainProblem } from "./driven-session.ts";
import { type OneTurnResult, resultOf } from "./one-turn.ts";

export type PlainResult = Omit<OneTurnResult, "problem"> & { readonly problem?: PlainProblem };

export function plainResult({ problem, ...result }: OneTurnResult): PlainResult {
  return { ...result, ...(problem !== undefined && { problem: plainProblem(problem) }) };
}

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly key: string;
  /** Timers, names of fields, the way through the network. */
  readonly settings?: ClientSettings;
  /** Clock, chance, waiting, log, environment. */
  readonly deps?: Partial<ClientDeps>;
}

export interface ResponsesBody {
  readonly model?: string;
  /** A prompt, or items as the interface has them. */
  readonly input: string | readonly object[];
  readonly instructions?: string;
  /** Definitions, or their raw JSON. */
  readonly tools?: readonly (object | string)[];
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  readonly stream?: boolean;
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatBodyMessage[];
  readonly stream?: boolean;
}

export interface ChatBodyMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
}

export interface PlainClient {
  respond(body: ResponsesBody, signal?: AbortSignal): Promise<PlainResult>;
  chat(body: ChatBody, signal?: AbortSignal): Promise<PlainResult>;
  estimate(
    body: Pick<ChatBody, "model" | "messages">,
    signal?: AbortSignal,
  ): Promise<{ readonly tokens?: number; readonly problem?: PlainProblem }>;
  deleteFile(
    id: string,
    signal?: AbortSignal,
  ): Promise<{
    readonly status: "deleted" | "gone" | "not-found" | "failed";
    readonly problem?: PlainProblem;
  }>;
  close(): void;
}

/** The four operations of the service by the product's own client. Nothing here throws. */
export function openClient(options: ServiceOptions): PlainClient {
  const client = clientOf(options);
  const never = () => new AbortController().signal;
  return {
    async respond({ input, tools, ...body }, signal = never()) {
      const items = typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
      const request = {
        ...body,
        input: items.map((item) => JSON.stringify(item)),
        ...(tools !== undefined && {
          tools: tools.map((tool) => (typeof tool === "string" ? tool : JSON.stringify(tool))),
        }),
      };
      return plainResult(resultOf(await finalReply(client.respond(request, signal))));
    },
    chat: async (body, signal = never()) =>
      plainResult(resultOf(await finalReply(client.chat(body, signal)))),
    async estimate(body, signal = never()) {
      const outcome = await client.estimate(body, signal);
      return "tokens" in outcome ? { tokens: outcome.tokens } : problemIn(outcome);
    },
    async deleteFile(id, signal = never()) {
      const outcome = await client.deleteFile(id, signal);
      return { status: outcome.status, ...problemIn(outcome) };
    },
    close: () => client.dispose(),
  };
}

const clientOf = ({ baseUrl, key, settings = {}, deps = {} }: ServiceOptions): ServiceClient =>
  createServiceClient({
    connection: async () => ({ baseUrl, key }),
    settings: () => settings,
    log: silentLog,
    ...deps,
  });

const problemIn = ({ problem }: { readonly problem?: Problem }): { readonly problem?: PlainProblem } =>
  problem === undefined ? {} : { problem: plainProblem(problem) };

export type LanguageModelContent =
  | { readonly kind: "text"; readonly text: string }
  /** As a data URL. */
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: object }
  | { readonly kind: "result"; readonly id: string; readonly text: string };

export interface LanguageModelAsked {
  readonly model: string;
  /** By the model, unless told. */
  readonly route?: "responses" | "chat";
  readonly messages: readonly {
    readonly role: "system" | "user" | "assistant";
    readonly parts: readonly LanguageModelContent[];
  }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    /** A schema. */
    readonly parameters?: object;
  }[];
  /** One of them has to be called. */
  readonly mustCall?: boolean;
  readonly maxOutputTokens?: number;
  readonly effort?: string;
}

export interface LanguageModelAnswered {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  readonly usage?: Usage;
  readonly problem?: PlainProblem;
}

export interface LanguageModelProvider {
  /** It remembers what was answered before, as it does for a window. */
  ask(question: LanguageModelAsked, signal?: AbortSignal): Promise<LanguageModelAnswered>;
  close(): void;
}

/** What other extensions ask through VS Code's language models, answered without an editor; nobody is asked first. */
export function openProvider(
  options: ServiceOptions,
  newId: () => string = randomUUID,
): LanguageModelProvider {
  const client = clientOf(options);
  const chat = createLanguageModelChat({
    client,
    spending: { agreeTo: async () => true },
    limits: () => ({}),
    take() {},
    now: Date.now,
    newId,
  });
  return {
    async ask({ route, tools = [], ...rest }, signal = new AbortController().signal) {
      const question = {
        ...rest,
        route: route ?? routeOf(rest.model, builtInModels),
        tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      };
      const texts = { text: "", reasoning: "" };
      const calls: LanguageModelAnswered["calls"][number][] = [];
      let usage: Usage | undefined;
      let problem: Problem | undefined;
      for await (const event of chat.ask(question, async () => undefined, signal)) {
        if (event.type === "text" || event.type === "reasoning") texts[event.type] += event.text;
        if (event.type === "call") calls.push({ id: event.id, name: event.name, input: event.input });
        if (event.type === "usage") usage = event.usage;
        if (event.type === "ended") problem = event.problem;
      }
      return {
        ...texts,
        calls,
        ...(usage !== undefined && { usage }),
        ...(problem !== undefined && { problem: plainProblem(problem) }),
      };
    },
    close: () => client.dispose(),
  };
}
