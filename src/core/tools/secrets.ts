// Takes out of a text what has the unmistakable shape of a secret. Files known to hold secrets are never read at
// all (privacy.ts); this is for the key that somebody pasted into ordinary code. Lines keep their numbers.

/** Shapes with a prefix of their own: what merely looks random is left alone, or code would be mangled. */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}PRIVATE KEY-----|[\s\S]*)/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g,
  /\bglpat-[A-Za-z0-9_-]{20,255}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,255}/g,
  /\bsk-[A-Za-z0-9_-]{20,255}/g,
  /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g,
];

export const secretMark = "[secret removed]";

export interface Cleaned {
  readonly text: string;
  readonly removed: number;
}

export function takeOutSecrets(text: string): Cleaned {
  let clean = text;
  let removed = 0;
  for (const shape of shapes) {
    clean = clean.replace(shape, (secret) => {
      removed++;
      return secret.replace(/[^\r\n]+/g, secretMark);
    });
  }
  return { text: clean, removed };
}

/** What is said to whoever gets the text. */
export const secretsNote = (removed: number): string =>
  removed === 1 ? "1 secret was taken out of this text." : `${removed} secrets were taken out of this text.`;
