// Encoding of syntax highlighting for one line: alternating lengths and styles in one list of numbers. A style combines
// a colour (an index into the theme's table, or the depth of a bracket) with four font bits. Shared with the page.

/** Length, style, length, style …; the rest of the line is plain. */
export type LineRuns = readonly number[];

/** Font bits of a style. */
export const italic = 1;
export const bold = 2;
export const underline = 4;
export const strikethrough = 8;

const fontBits = 4;
/** Colours from this value on stand for brackets. */
const firstBracket = 512;
/** VS Code's bracket colours repeat after this many levels. */
const levels = 30;
/** The colour of tokens that no theme rule matches. */
const plainColour = 1;

/** The style for a token's metadata as given by vscode-textmate; 0 is plain. */
export function styleOf(metadata: number): number {
  const colour = (metadata >>> 15) & 0x1ff;
  return ((colour <= plainColour ? 0 : colour) << fontBits) | ((metadata >>> 11) & 0xf);
}

export const bracketStyle = (level: number, metadata: number): number =>
  ((firstBracket + (level % levels)) << fontBits) | ((metadata >>> 11) & 0xf);

interface Style {
  /** Index into the theme's table; 0: the colour of plain text. */
  readonly colour: number;
  /** The depth, if the text is a bracket. */
  readonly level: number | undefined;
  readonly font: number;
}

export function readStyle(style: number): Style {
  const colour = style >> fontBits;
  const isBracket = colour >= firstBracket;
  return {
    colour: isBracket ? 0 : colour,
    level: isBracket ? colour - firstBracket : undefined,
    font: style & ((1 << fontBits) - 1),
  };
}
