// Finds characters that people do not see but programs obey: bidirectional controls, zero-width and tag characters,
// control codes, stray variation selectors. They are shown as escapes, and copied as shown. What writing systems and
// emoji need (a joiner between two letters, one selector after its base) is kept.

/** A piece of text as it is shown; `hidden` pieces are escapes. */
interface Piece {
  readonly hidden: boolean;
  readonly text: string;
}

/** The last alternative matches marks stacked on one letter until they cover the lines around it. */
const suspect =
  /(?![\t\n\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?<=\p{M}{8})\p{M}/u;
const suspects = new RegExp(suspect, "gu");

/** England, Scotland and Wales: the three flags written with tag characters. */
const tagFlags =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;

const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;
const emojiPart = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;

export const hasHidden = (text: string): boolean => suspect.test(text);

/** Where the first of them is; -1 if there are none. */
export const firstHidden = (text: string): number => text.search(suspect);

/** Splits the text into pieces; a single piece if it contains no hidden characters. */
export function showHidden(text: string): readonly Piece[] {
  if (!hasHidden(text)) return [{ hidden: false, text }];
  const isHidden = hiddenIn(text);
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: character } of text.matchAll(suspects)) {
    if (!isHidden(character, index)) continue;
    const last = pieces.at(-1);
    if (index > from) pieces.push({ hidden: false, text: text.slice(from, index) });
    if (index === from && last?.hidden === true)
      pieces[pieces.length - 1] = { hidden: true, text: last.text + escapeOf(character) };
    else pieces.push({ hidden: true, text: escapeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ hidden: false, text: text.slice(from) });
  return pieces;
}

/** Ask for the suspects of a text in their order: whether each is hidden, and neither part of a flag nor needed. */
function hiddenIn(text: string): (character: string, index: number) => boolean {
  const flags = [...text.matchAll(tagFlags)].map(
    ({ index, 0: flag }) => [index, index + flag.length] as const,
  );
  let flag = 0;
  return (character, index) => {
    while (index >= (flags[flag]?.[1] ?? text.length)) flag += 1;
    return index < (flags[flag]?.[0] ?? text.length) && !isNeeded(text, index, character);
  };
}

/** The text with hidden characters as escapes, so that what is copied is what is shown. */
export function withEscapes(text: string): string {
  if (!hasHidden(text)) return text;
  const isHidden = hiddenIn(text);
  return text.replace(suspects, (character, index: number) =>
    isHidden(character, index) ? escapeOf(character) : character,
  );
}

/** Whether a person who reads the unchanged text would not see all of it. */
export const hidesCharacters = (text: string): boolean =>
  hasHidden(text) && showHidden(text.replaceAll("\r\n", "\n")).some(({ hidden }) => hidden);

/** Text as it is shown and copied. CRLF counts as one line break. */
export const visible = (text: string): string => withEscapes(text.replaceAll("\r\n", "\n"));

const neverInName =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?! )\p{Zs}|(?<= ) |(?<=\p{M}\p{M})\p{M}/gu;

/**
 * A name inside our own sentences and lists: always on one line, without spaces that push the following text out of
 * sight, and without characters that some scripts need only in running text.
 */
export const visibleName = (name: string): string => name.replace(neverInName, escapeOf);

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}}`;
}

const mark = /\p{M}/u;
const pictogram = /\p{Extended_Pictographic}/u;
const emoji = /\p{Emoji}/u;
const variationSelector = /\p{Variation_Selector}/u;
const ideograph = /\p{Script=Han}/u;

function isNeeded(text: string, index: number, character: string): boolean {
  const before = () => characterBefore(text, index);
  const after = () => String.fromCodePoint(text.codePointAt(index + character.length) ?? 0);
  switch (character) {
    case "\u200C":
      return joins(before(), after());
    case "\u200D":
      return joins(before(), after()) || (emojiPart.test(before()) && pictogram.test(after()));
    case "\uFE0E":
    case "\uFE0F":
      // A digit is an emoji only as part of a keycap.
      return emoji.test(before()) && (!/[0-9#*]/.test(before()) || after() === "\u20E3");
    default:
      // Ideographic variants: one selector, right after its ideograph.
      return variationSelector.test(character) && ideograph.test(before());
  }
}

const joins = (before: string, after: string): boolean =>
  joined.test(before) && (joined.test(after) || mark.test(before));

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  const start = unit >= 0xdc00 && unit <= 0xdfff ? index - 2 : index - 1;
  return start < 0 ? "" : text.slice(start, index);
}
