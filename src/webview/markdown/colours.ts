// What the colours of code are called, and code in runs of one of them. Knows nothing of who finds them.

export type Colour =
  | "comment"
  | "keyword"
  | "string"
  | "number"
  | "constant"
  | "function"
  | "type"
  | "variable"
  | "property"
  | "tag"
  | "attribute"
  | "regexp"
  | "meta"
  | "heading"
  | "added"
  | "removed"
  | "strong"
  | "emphasis";

export interface Run {
  readonly text: string;
  readonly colour: Colour | undefined;
}

/** Code's lines, each in runs. */
export type Coloured = readonly (readonly Run[])[];

export interface ColouredCode {
  readonly lines: Coloured;
  /** It ends outside of everything: what follows has the colours that it has alone. */
  readonly isOutside: boolean;
}

/** Colours whole lines in one language; undefined where the highlighter gave up. */
export type Colouring = (code: string) => ColouredCode | undefined;
