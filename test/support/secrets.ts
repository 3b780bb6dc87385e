// What the product itself takes for a secret: by the name of a file, and within a text.
import { createPrivacy } from "../../src/core/files/privacy.ts";
import { takeOutSecrets } from "../../src/core/files/secrets.ts";

const privacy = createPrivacy({ ignore: [], alsoIgnore: [] });

/** Wherever the file lies. */
export function isSecretName(path: string): boolean {
  const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== "." && name !== "~");
  return privacy(names.join("/"), false) !== undefined;
}

export const withoutSecrets = (text: string): string => takeOutSecrets(text).text;
