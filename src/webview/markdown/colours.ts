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
