// What a scripted turn is: pieces in order and an ending. Data only; both wires are pure functions of it.
import type { JsonObject } from "./json.ts";
import { countTokens, tokensOf } from "./tokens.ts";

export interface Citation {
  readonly url: string;
  readonly title: string;
  /** The words of the text that are linked; the whole text when they do not occur. */
  readonly words: string;
}

export interface Source {
  readonly url: string;
  readonly title: string;
}

export type TextPart =
  | { readonly kind: "text"; readonly text: string; readonly citations: readonly Citation[] }
  | { readonly kind: "refusal"; readonly text: string };

export type Piece =
  | { readonly kind: "message"; readonly parts: readonly TextPart[]; readonly phase?: string }
  | {
      readonly kind: "reasoning";
      readonly summary: readonly string[];
      readonly raw?: string;
      /** Opaque; made up from the rest when absent, left out when empty. */
      readonly encrypted?: string;
    }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly arguments: string;
      readonly namespace?: string;
      readonly callId?: string;
    }
  | { readonly kind: "patch"; readonly input: string; readonly callId?: string }
  | {
      readonly kind: "search";
      readonly query: string;
      readonly sources: readonly Source[];
      readonly results?: readonly JsonObject[];
    }
  | { readonly kind: "item"; readonly item: JsonObject };

export type Ending =
  | { readonly kind: "completed" }
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | {
      readonly kind: "error";
      readonly code: string;
      readonly message: string;
      readonly shape: "flat" | "nested";
      readonly thenFailed: boolean;
    };

export interface Turn {
  readonly pieces: readonly Piece[];
  readonly ending: Ending;
}

export function outputTokens(turn: Turn): { readonly output: number; readonly reasoning: number } {
  const count = (pieces: readonly Piece[]) =>
    pieces.flatMap(spokenTexts).reduce((sum, text) => sum + countTokens(text), 0);
  return {
    output: count(turn.pieces),
    reasoning: count(turn.pieces.filter((piece) => piece.kind === "reasoning")),
  };
}

/** Interface, "States and transitions": generation that reaches `max_output_tokens` ends as `incomplete`. */
export function cutAtLimit(turn: Turn, limit: number | undefined): Turn {
  if (limit === undefined || outputTokens(turn).output <= limit) return turn;
  let left = limit;
  const cut = (text: string): string => {
    const kept = tokensOf(text).slice(0, Math.max(0, left));
    left -= countTokens(text);
    return kept.join("");
  };
  const pieces = turn.pieces.flatMap((piece) => (left > 0 ? [shortened(piece, cut)] : []));
  return { pieces, ending: { kind: "incomplete", reason: "max_output_tokens" } };
}

/** Everything of a piece that is generated, in order. */
function spokenTexts(piece: Piece): readonly string[] {
  switch (piece.kind) {
    case "message":
      return piece.parts.map((part) => part.text);
    case "reasoning":
      return [...piece.summary, ...(piece.raw === undefined ? [] : [piece.raw])];
    case "call":
      return [piece.arguments];
    case "patch":
      return [piece.input];
    case "search":
      return [piece.query];
    case "item":
      return [];
    default:
      return piece satisfies never;
  }
}

function shortened(piece: Piece, cut: (text: string) => string): Piece {
  switch (piece.kind) {
    case "message":
      return { ...piece, parts: piece.parts.map((part) => ({ ...part, text: cut(part.text) })) };
    case "reasoning": {
      const summary = piece.summary.map(cut);
      return { ...piece, summary, ...(piece.raw === undefined ? {} : { raw: cut(piece.raw) }) };
    }
    case "call":
      return { ...piece, arguments: cut(piece.arguments) };
    case "patch":
      return { ...piece, input: cut(piece.input) };
    case "search":
      return { ...piece, query: cut(piece.query) };
    case "item":
      return piece;
    default:
      return piece satisfies never;
  }
}
