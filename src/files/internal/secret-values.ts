// Decides whether a value assigned to a secret-like name is a secret, or a word, an identifier or a placeholder. Pure,
// and tuned for few false positives: each one leaves a hole in the file.

// Random text differs from words in how common its pairs of letters are: long words consist of frequent pairs; in
// random text, every other pair is rare.

/**
 * How often one letter follows another in English words and source code, compared with chance: twice the binary
 * logarithm, where `j` stands for 0 and each letter of the alphabet for one step. One row per first letter, one column
 * per second letter; counted in 16,000 words of comments, documentation and names in open source.
 */
const pairs: readonly string[] = [
  "djljcfjajafmjmajamlnigedhc",
  "mhigngcclhbofameakkfmcaaia",
  "mchdmdamjakkdbofakgmjaaafa",
  "lhfjpfecobdifelgaikejdccfa",
  "jfkmghgbebakjmdifonkchfjea",
  "mfggmlcapabkcdnbckiijaaaia",
  "keeapgjkmaajgkjhamkglbaadc",
  "oedcpaaamabfgendakfkiaaaga",
  "ihljjijaaadkjomhailmaiaeah",
  "ndfiodbehagcifmhdcoglgjaaa",
  "leghqfhdnachfijhafmgjcgaea",
  "meeiofcaoadmdbmfabjjjfaaka",
  "oiffobcamabhjclmdbjdidabfa",
  "lbkmlinckbgfdhkeacmnhhaaea",
  "ghjjdghagcgkloikanjjkiidba",
  "nbefndchjadmdcmkaniljaaaga",
  "fciecaaaeaamdfhhdefasafaba",
  "mdihpehamagfihmeailkigcaia",
  "jckeoebjmaggeekkcdmokbeaha",
  "mahdodaloaageblfalkjiadaja",
  "jkjikfhakaalkndkanmnbaaeaa",
  "obgaqbdanaagfdkcadgddfaada",
  "ocdfnbclnaegalmcalkgcaidca",
  "kememgaflaaejdgoagfodbafia",
  "jiifkgebkaajklloahmkfbiceg",
  "naffqbcemacgfelbbdgfjadaii",
];
const chance = "j".charCodeAt(0);

type Kind = "small" | "capital" | "digit" | "sign";

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return "small";
  if (code >= 65 && code <= 90) return "capital";
  return code >= 48 && code <= 57 ? "digit" : "sign";
}

/** Names change from lower case to capitals or digits only where a word begins, which is rare. */
const forChange = 1.2;

/**
 * How much more likely it is, in bits, that a text is random than written. Below zero for nearly all words and names;
 * of 16 random letters in any case, 19 of 20 texts reach 8, and of 16 random hexadecimal digits 4.
 */
export function bitsOfChance(text: string): number {
  let bits = 0;
  for (let at = 1; at < text.length; at++) {
    const [first, second] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    // A repeated letter, or the next letter of the alphabet: somebody typed a placeholder.
    if (second === first || second === first + 1) continue;
    const [before, after] = [kindOf(first), kindOf(second)];
    if (before === "sign" || after === "sign" || (before === "digit" && after === "digit")) continue;
    const isInWord = before !== "digit" && after !== "digit" && (before === after || before === "capital");
    bits += isInWord ? -rarity(first, second) / 2 : forChange;
  }
  return bits;
}

const rarity = (first: number, second: number): number =>
  (pairs[(first | 0x20) - 97]?.charCodeAt((second | 0x20) - 97) ?? chance) - chance;

// Known and accepted false negatives:
// - a key in two pieces ("abc" + "def"), spelled backwards, or as numbers: no piece alone is a key, and the author
//   means to hide it;
// - placeholders ("your-api-key", "changeme", "sk_test_xxxxxxxx", "AKIA…EXAMPLE"): people write them in place of a
//   secret, and code is easier to understand with them;
// - passwords that are words ("sesame", "hunter2hunter"): they look like the text around them;
// - random values without a name, prefix or position that suggests a secret: hashes, ids and pictures look the same.

/** Words that people write in place of a secret. In a very long value they occur by chance. */
const placeholderWord =
  /example|sample|placeholder|your|dummy|fake|change|replace|insert|redacted|removed|hidden|x{4}|\*{3}|\.{3}|0{8}/i;
const veryLong = 80;
/** Syntax that inserts a value. */
const placeholderSign = /[$#%]?\{[^{}]*\}|\$\(|^\$\w|^<[^<>]*>?$|%[sdv(]|^[@:/]/;
/** Only in short values; in long ones they occur by chance. */
const commonWord = /secret|passw|token|api[_-]?key|1234|abcd|foo|bar|test/i;
const isLong = 24;

/** Several words joined as in code that name a secret: `UserPasswordRequiredResultV2`. */
const nameOfSecret = /^(?=[A-Za-z]*(?:Passw|Secret|Token))(?:[A-Z][a-z]+){4,}V?[0-9]{0,2}$/;

const numbersIn = (value: string): number => value.match(/[0-9]+/g)?.length ?? 0;

/** Whether a value was generated at random. */
export function isRandom(value: string): boolean {
  if (value.length < 16 || isPlaceholder(value) || !/[A-Za-z]/.test(value)) return false;
  if (isIdentifier(value)) return true;
  // A version or a date, or punctuated like code and paths.
  if (/^[0-9.:+TZ-]+$/.test(value) || value.split(/[-_.:]/).length > 8) return false;
  return bitsOfChance(value) >= 4 && bitsPerCharacter(value) >= leastBits(value);
}

const leastBits = (value: string): number => (value.length < 20 || /^[0-9a-f-]+$/i.test(value) ? 2.7 : 3.2);

/** Accepts fewer characters, because the name says that it is a password. */
export const isRandomPassword = (value: string): boolean =>
  isRandom(value) ||
  (value.length >= 12 && !isPlaceholder(value) && bitsOfChance(value) >= 6 && bitsPerCharacter(value) >= 2.7);

/** For values shorter than generated ones, with several kinds of characters. */
export function isPassword(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || /[()[\],;|\\]|=>|::/.test(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#%^&*+?~]/].filter((kind) => kind.test(value)).length;
  return kinds >= 3 && /[0-9]/.test(value) && bitsPerCharacter(value) >= 2.7;
}

/** For unquoted values, which might also be a name or an expression. */
export const isBarePassword = (value: string): boolean =>
  isPassword(value) && !/^[!~]|[+*=^]/.test(value) && (numbersIn(value) > 2 || /[!@#%&?~]/.test(value));

/** For positions where only a password can be: in a URL, after a command's option. Words do not count. */
export const isPasswordInPlace = (value: string): boolean =>
  isPassword(value) ||
  isRandom(value) ||
  (value.length >= 8 &&
    !isPlaceholder(value) &&
    bitsOfChance(value) >= 2.4 &&
    bitsPerCharacter(value) >= 2.5);

/** Long and full of special characters, like values that are generated once and never typed. May contain blanks. */
export const isSalt = (value: string): boolean =>
  value.length >= 40 &&
  (value.match(/[^A-Za-z0-9 ]/g)?.length ?? 0) >= value.length / 8 &&
  bitsOfChance(value) >= 8 &&
  bitsPerCharacter(value) >= 4.5;

/** At this many bits, the value counts as random despite its special characters. */
const certain = 15;
/** Letters that passwords do not contain: the text is meant for people. */
const otherLetter = /[\u0250-\uffff]/;

const isPlaceholder = (value: string): boolean =>
  otherLetter.test(value) ||
  (placeholderSign.test(value) && bitsOfChance(value) < certain) ||
  nameOfSecret.test(value) ||
  (value.length < veryLong && placeholderWord.test(value)) ||
  (value.length < isLong && commonWord.test(value));

/** Marks a key with a known prefix as an example. */
export const isKeyOfDocumentation = (key: string): boolean => /EXAMPLE|[xX*]{8}|0{12}|your[_-]/.test(key);

/** Names a thing and grants no access. */
export const isIdentifier = (value: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

const base64 = /^[A-Za-z0-9+/]{6,}={0,2}$/;
const textIn = (value: string): string => Buffer.from(value, "base64").toString("latin1");

/** A name and password encoded as in registries and HTTP; `undefined` if it is nothing of the kind. */
export function isEncodedLogin(value: string): boolean | undefined {
  const [, password] = base64.test(value) ? (/^[!-9;-~]{1,100}:(.+)$/s.exec(textIn(value)) ?? []) : [];
  if (password === undefined) return undefined;
  return /[^ -~]/.test(password) ? password.length >= 8 : isPasswordInPlace(password);
}

/** A password encoded as in clusters and registries. */
export function isEncodedPassword(value: string): boolean {
  if (!base64.test(value) || value.length % 4 !== 0 || isPlaceholder(value)) return false;
  const text = textIn(value).trimEnd();
  return /^[ -~]{6,}$/.test(text) && isPasswordInPlace(text);
}

/** Base64 data in a cluster's manifest: words do not count as secrets, but whole URLs and files do. */
export function isEncodedSecret(value: string): boolean {
  const text = base64.test(value) && value.length % 4 === 0 ? textIn(value).trimEnd() : "";
  return /^[\t\n\r -~]+$/.test(text)
    ? text.length >= 16 || isPasswordInPlace(text)
    : isPasswordInPlace(value);
}

/** Shannon entropy per character. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
