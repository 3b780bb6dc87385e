// What a scripted turn is: pieces in order and an ending. Data only; both wires are pure functions of it.
import type { JsonObject } from "./json.ts";
import { countTokens } from "./tokens.ts";

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
  let output = 0;
  let reasoning = 0;
  for (const piece of turn.pieces) {
    const tokens = countTokens(spokenText(piece));
    output += tokens;
    if (piece.kind === "reasoning") reasoning += tokens;
  }
  return { output, reasoning };
}

/** Interface, "States and transitions": generation that reaches `max_output_tokens` ends as `incomplete`. */
export function cutAtLimit(turn: Turn, limit: number | undefined): Turn {
  if (limit === undefined || outputTokens(turn).output <= limit) return turn;
  const pieces: Piece[] = [];
  let left = limit;
  for (const piece of turn.pieces) {
    if (left <= 0) break;
    const tokens = countTokens(spokenText(piece));
    pieces.push(tokens <= left ? piece : shortened(piece, left / tokens));
    left -= tokens;
  }
  return { pieces, ending: { kind: "incomplete", reason: "max_output_tokens" } };
}

function spokenText(piece: Piece): string {
  switch (piece.kind) {
    case "message":
      return piece.parts.map((part) => part.text).join("");
    case "reasoning":
      return piece.raw ?? piece.summary.join("\n");
    case "call":
      return `${piece.name}${piece.arguments}`;
    case "patch":
      return piece.input;
    case "search":
      return piece.query;
    case "item":
      return JSON.stringify(piece.item);
    default:
      return piece satisfies never;
  }
}

function shortened(piece: Piece, share: number): Piece {
  const cut = (text: string) => [...text].slice(0, Math.floor([...text].length * share)).join("");
  switch (piece.kind) {
    case "message":
      return { ...piece, parts: shortenedParts(piece.parts, share) };
    case "reasoning":
      return {
        ...piece,
        summary: piece.summary.map(cut),
        ...(piece.raw === undefined ? {} : { raw: cut(piece.raw) }),
      };
    case "call":
      return { ...piece, arguments: cut(piece.arguments) };
    case "patch":
      return { ...piece, input: cut(piece.input) };
    case "search":
    case "item":
      return piece;
    default:
      return piece satisfies never;
  }
}

function shortenedParts(parts: readonly TextPart[], share: number): readonly TextPart[] {
  let left = Math.floor(parts.reduce((sum, part) => sum + [...part.text].length, 0) * share);
  const kept: TextPart[] = [];
  for (const part of parts) {
    const letters = [...part.text];
    if (left <= 0) break;
    kept.push({ ...part, text: letters.slice(0, left).join("") });
    left -= letters.length;
  }
  return kept;
}
