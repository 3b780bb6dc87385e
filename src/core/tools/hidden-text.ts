// Characters that nobody sees but machines read: zero-width, bidirectional and tag characters, control codes. Text
// from a repository that is to be followed is shown with them written out, to people and to the model alike.

const hidden = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const allHidden = new RegExp(hidden, "gu");

export const hasHiddenText = (text: string): boolean => hidden.test(text) && showHiddenText(text) !== text;

export const showHiddenText = (text: string): string =>
  text.replace(allHidden, (character, index: number) => {
    // What makes an emoji out of a letter or out of two is no secret.
    const before = text.slice(Math.max(0, index - 4), index);
    const isPartOfEmoji = /[\u200d\ufe0e\ufe0f]/.test(character) && /\p{Emoji}\ufe0f?$/u.test(before);
    if (isPartOfEmoji) return character;
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
  });
