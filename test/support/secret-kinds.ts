// Kinds of secrets as data (test/fixtures/secrets): a text around them, and from which letters a machine draws them. No
// fixture holds a secret; each is drawn here, the same ones every time.
import { readFileSync } from "node:fs";
import fc from "fast-check";

interface DrawnValue {
  /** The name of an alphabet, or `custom:` and its letters. */
  readonly alphabet: string;
  readonly min: number;
  readonly max: number;
  readonly prefix?: string;
  readonly suffix?: string;
  /** Stands beside a secret and is none, such as the name of a user. */
  readonly secret?: boolean;
}

export interface SecretKind {
  readonly kind: string;
  /** The language or the file that it stands in. */
  readonly file: string;
  /** The text around it, with `${name}` for each value. */
  readonly template: string;
  readonly values: Readonly<Record<string, DrawnValue>>;
  /** Looks like a secret and is none: it has to stay. */
  readonly benign?: boolean;
}

export interface SecretSample {
  readonly text: string;
  readonly secrets: readonly string[];
}

export const readSecretKinds = (name: string): readonly SecretKind[] =>
  JSON.parse(readFileSync(`test/fixtures/secrets/${name}.json`, "utf8"));

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const alphabets: Readonly<Record<string, string>> = {
  digits,
  lower,
  upper,
  hex: `${digits}abcdef`,
  "lower+digits": `${lower}${digits}`,
  ALNUM: `${upper}${digits}`,
  alnum: `${lower}${upper}${digits}`,
  base32: `${upper}234567`,
  base58: `${upper}${lower}123456789`.replace(/[IOl]/g, ""),
  base64: `${lower}${upper}${digits}+/`,
  base64url: `${lower}${upper}${digits}-_`,
  printable: Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join(""),
};

const drawn = (letters: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.noBias(fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength }));

const hex = (count: number) => drawn(alphabets["hex"] ?? "", count);
const alnum = (min: number, max: number) => drawn(alphabets["alnum"] ?? "", min, max);
const inBase64 = (text: string): string => Buffer.from(text).toString("base64");

function letters({ alphabet, min, max }: DrawnValue): fc.Arbitrary<string> {
  if (alphabet === "uuid")
    return fc
      .tuple(hex(8), hex(4), hex(3), fc.constantFrom(..."89ab"), hex(3), hex(12))
      .map(([one, two, three, variant, four, five]) => `${one}-${two}-4${three}-${variant}${four}-${five}`);
  if (alphabet === "base64 of text") return alnum(min, max).map(inBase64);
  if (alphabet === "base64 of user:password")
    return alnum(min, max).map((password) => inBase64(`deploy:${password}`));
  const own = alphabet.startsWith("custom:") ? alphabet.slice("custom:".length) : alphabets[alphabet];
  if (own === undefined) throw new Error(`No alphabet is called ${alphabet}.`);
  return drawn(own, min, max);
}

/** So many of a kind, the same ones for the same seed. */
export function samplesOf({ template, values }: SecretKind, count: number, seed: number): SecretSample[] {
  const names = Object.keys(values);
  const drawnValues = fc.tuple(
    ...Object.values(values).map((value) =>
      letters(value).map((text) => `${value.prefix ?? ""}${text}${value.suffix ?? ""}`),
    ),
  );
  return fc.sample(drawnValues, { numRuns: count, seed }).map((texts) => ({
    text: template.replace(/\$\{(v\d+)\}/g, (_, name) => texts[names.indexOf(name)] ?? ""),
    secrets: texts.filter((_, at) => values[names[at] ?? ""]?.secret !== false),
  }));
}
