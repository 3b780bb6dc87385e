// Whether what is assigned to a secret-like name is a secret, or a word, an identifier, a placeholder. Pure, and made for
// few false alarms: a file is handed on with a hole where it was wrong.

/** What people write where a secret would be. */
const placeholder =
  /example|sample|placeholder|your|dummy|fake|change|replace|insert|redacted|removed|hidden|x{4}|\*{3}|\.{3}|0{8}|[<>${}]|%[sdv(]|^[#@:/]/i;
/** In a short one; in a long one it is chance. */
const commonWord = /secret|passw|token|api[_-]?key|1234|abcd|foo|bar|test/i;
const isLong = 24;

/** Several words, joined as code joins them, that speak of one: `UserPasswordRequiredResultV2`. */
const nameOfSecret = /^(?=[A-Za-z]*(?:Passw|Secret|Token))(?:[A-Z][a-z]+){4,}V?[0-9]{0,2}$/;

/** Letters in a row: a word. */
const word = /[a-z]{7}|[A-Z]{8}/;
/** In what a machine has drawn letters stand in a row by chance, too, but hardly so many. */
const longWord = /[a-z]{16}|[A-Z]{16}/;

const numbersIn = (value: string): number => value.match(/[0-9]+/g)?.length ?? 0;

/** Nobody writes four numbers into a name, or goes from small to capital letters and digits at every other character. */
function isDrawn(value: string): boolean {
  const runs = value.match(/[a-z]+|[A-Z]+|[0-9]+|[^a-zA-Z0-9]+/g)?.length ?? 0;
  return numbersIn(value) >= 4 || runs / value.length >= 0.55;
}

export function isRandom(value: string): boolean {
  if (value.length < 16 || isPlaceholder(value) || !/[A-Za-z]/.test(value)) return false;
  if (isDrawn(value) ? longWord.test(value) : numbersIn(value) < 2 || word.test(value)) return false;
  // A path, a version, a date, a list of words.
  if (value.split(/[-_./:]/).length > 5 || /^[0-9.:+TZ-]+$/.test(value)) return false;
  return bitsPerCharacter(value) >= (/^[0-9a-f-]+$/i.test(value) ? 3 : 3.4);
}

/** Shorter than what machines make, and of several kinds of characters. */
export function isPassword(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || /[()[\],;|\\]|=>|::/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#%^&*+?~]/].filter((kind) => kind.test(value)).length;
  return kinds >= 3 && /[0-9]/.test(value) && bitsPerCharacter(value) >= 2.7;
}

/** The same where no quotes say that it is no name and no sum. */
export const isBarePassword = (value: string): boolean =>
  isPassword(value) && !/^[!~]|[+*=^]/.test(value) && (numbersIn(value) > 2 || /[!@#%&?~]/.test(value));

const isPlaceholder = (value: string): boolean =>
  placeholder.test(value) || nameOfSecret.test(value) || (value.length < isLong && commonWord.test(value));

/** Names a thing, and opens nothing. */
export const isIdentifier = (value: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** Shannon's entropy of its characters. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
