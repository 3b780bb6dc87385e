// Two real clients of the de-facto standard, pointed at the simulator: what they make of a stream.
import { createOpenAI } from "@ai-sdk/openai";
import { streamText, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import * as z from "zod";
import type { Simulator } from "../../sim/simulator.ts";

/** What a client understood. Calls are `name(input)`. */
export interface Understood {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly string[];
  readonly sources: readonly string[];
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly totalTokens: number | undefined;
  readonly end: string;
}

export function openaiClient(sim: Simulator): OpenAI {
  return new OpenAI({ apiKey: sim.key, baseURL: `${sim.url}/v1`, maxRetries: 0 });
}

/** The strict accumulator of the official package: throws on anything out of order or unknown. */
export async function askOpenai(sim: Simulator, body: object): Promise<Understood> {
  const stream = openaiClient(sim).responses.stream({ model: "svc-k3", input: "Hello?", ...body });
  for await (const _ of stream);
  const response = await stream.finalResponse();
  const calls: string[] = [];
  const sources: string[] = [];
  let reasoning = "";
  for (const item of response.output) {
    if (item.type === "function_call") calls.push(`${item.name}(${item.arguments})`);
    if (item.type === "custom_tool_call") calls.push(`${item.name}(${item.input})`);
    if (item.type === "reasoning")
      reasoning += [...item.summary, ...(item.content ?? [])].map((part) => part.text).join("");
    if (item.type !== "message") continue;
    for (const part of item.content)
      if (part.type === "output_text")
        sources.push(...part.annotations.map((note) => (note.type === "url_citation" ? note.url : "")));
  }
  return {
    text: response.output_text,
    reasoning,
    calls,
    sources,
    inputTokens: response.usage?.input_tokens,
    outputTokens: response.usage?.output_tokens,
    totalTokens: response.usage?.total_tokens,
    end: response.incomplete_details?.reason ?? response.status ?? "none",
  };
}

const anything = z.record(z.string(), z.unknown());

/** The AI SDK with its OpenAI provider. */
export async function askAi(
  sim: Simulator,
  wire: "responses" | "chat",
  extra: object = {},
): Promise<Understood> {
  const provider = createOpenAI({ apiKey: sim.key, baseURL: `${sim.url}/v1` });
  const names = ["read_file", "search_text", "list_files", "search_issues"];
  const tools: ToolSet = Object.fromEntries(names.map((name) => [name, tool({ inputSchema: anything })]));
  let error: unknown;
  const result = streamText({
    model: wire === "responses" ? provider.responses("svc-k3") : provider.chat("svc-k2.6"),
    prompt: "Hello?",
    tools,
    maxRetries: 0,
    providerOptions: { openai: { store: false } },
    onError: (event) => {
      error = event.error;
    },
    ...extra,
  });
  const calls: string[] = [];
  const sources: string[] = [];
  for await (const part of result.fullStream) {
    if (part.type === "tool-call") calls.push(`${part.toolName}(${JSON.stringify(part.input)})`);
    if (part.type === "source" && part.sourceType === "url") sources.push(part.url);
    if (part.type === "error") throw part.error;
  }
  if (error !== undefined) throw error;
  const usage = await result.totalUsage;
  return {
    text: await result.text,
    reasoning: (await result.reasoningText) ?? "",
    calls,
    sources,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: usage.totalTokens,
    end: await result.finishReason,
  };
}
