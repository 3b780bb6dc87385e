// Several counts for one question: of each attachment by itself, of the same draft by each model. One request each,
// made only because a person asked; what fails is a row without a number.
import type { ChatMessage, EstimateRequest } from "../api/request.ts";
import type { Problem } from "../conversation/problem.ts";
import { featuresOf } from "./local-estimate.ts";
import type { ServiceCount } from "./service-estimate.ts";
import type { Features } from "./text-features.ts";

export interface CountedPart {
  readonly label: string;
  readonly tokens?: number;
  readonly problem?: Problem;
}

export interface NamedRequest {
  readonly label: string;
  readonly request: EstimateRequest;
}

/** Each message costs a little by itself, so these need not add up to the count of the whole. */
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

/** What the local estimate sees of a request: the same texts, so that a count of one teaches the other. */
export function featuresOfMessages(messages: readonly ChatMessage[]): Features {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text" as const, text: content }] : content,
  );
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return featuresOf({ texts, images: parts.length - texts.length, messages: messages.length });
}

const hasContent = ({ content }: ChatMessage): boolean =>
  typeof content === "string" ? content.trim() !== "" : content.length > 0;
