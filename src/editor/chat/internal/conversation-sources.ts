// The pages and images that all responses of a conversation cite or have found, each once.
import type { Part, Source, Turn } from "../../../conversation/state.ts";
import { nameOfUrl, webUrl } from "../../../util/web-url.ts";

export interface ConversationSource {
  /** As a browser would open it. */
  readonly url: string;
  readonly host: string;
  readonly name: string;
  readonly isImage: boolean;
  /** The responses that have it, the first one first; `number` counts the questions from 1: one may have several. */
  readonly responses: readonly { readonly turn: string; readonly number: number }[];
}

/** In the order in which they came. What is not clearly a web page is left out. */
export function sourcesInConversation(turns: readonly Turn[]): readonly ConversationSource[] {
  const found = new Map<string, ConversationSource>();
  let number = 0;
  for (const { id, parts, continues, compacts } of turns) {
    if (number === 0 || (!continues && compacts !== true)) number += 1;
    for (const { source, isImage } of parts.flatMap(sourcesIn)) {
      const address = webUrl(source.url);
      if (address === undefined) continue;
      const { href: url, host } = address;
      const before = found.get(url);
      const response = { turn: id, number };
      const isKnown = before?.responses.some(({ turn }) => turn === id) === true;
      found.set(url, {
        ...{ url, host, isImage: before?.isImage ?? isImage },
        // A search often has the URL alone, and the citation has the title.
        name: before === undefined || before.name === url ? nameOfUrl(source) : before.name,
        responses: isKnown ? before.responses : [...(before?.responses ?? []), response],
      });
    }
  }
  return [...found.values()];
}

interface Found {
  readonly source: Source;
  readonly isImage: boolean;
}

function sourcesIn(part: Part): readonly Found[] {
  if (part.type === "text") return (part.citations ?? []).map((source) => ({ source, isImage: false }));
  if (part.type !== "search") return [];
  return [
    ...part.sources.map((source) => ({ source, isImage: false })),
    ...(part.images ?? []).map((source) => ({ source, isImage: true })),
  ];
}
