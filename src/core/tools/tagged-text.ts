// How attached text is shown to a model: between a tag that says what it is and its end, so that text is told from
// question. Pure; the same wish on the same text gives the same bytes.

export type Attributes = Readonly<Record<string, string | undefined>>;

export function wrapInTag(tag: string, attributes: Attributes, body: string): string {
  const name = freeName(tag, body);
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
  );
  return `<${name}${written.join("")}>\n${body}\n</${name}>`;
}

/** Text that holds the end of its own frame would leave it, and speak in the user's voice: it gets another frame. */
function freeName(tag: string, body: string): string {
  const folded = body.toLowerCase();
  let name = tag;
  for (let number = 2; folded.includes(`</${name}`); number++) name = `${tag}-${number}`;
  return name;
}

export const attributeText = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;");
