// Reads YAML that somebody else wrote. A file of its own in the extension, loaded with the first front matter, because
// the package is larger than everything else that reads what a repository says.
import { parseDocument } from "yaml";

/**
 * The value of a document in which every scalar is a string; `undefined` if it is not valid. Aliases are refused: ten
 * short lines of them can stand for a billion values.
 */
export function readYaml(text: string): unknown {
  const options = { schema: "failsafe", logLevel: "silent", prettyErrors: false, uniqueKeys: false } as const;
  try {
    const document = parseDocument(text, options);
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
