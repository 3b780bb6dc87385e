// URLs of web pages and images that others name: a source of a response, a result of a search. Whoever reads one is told
// its host, so a URL that could name another than it leads to is no link.
import { visible } from "./hidden-characters.ts";
import { parsedUrl } from "./parsed-url.ts";

/** Longer ones carry data rather than a destination. */
const longest = 8_192;

/**
 * The URL as a browser would open it, whose host is ASCII: look-alike letters are shown as Punycode. Undefined unless it
 * is clearly a web page, without a user name or password, as in "https://example.com@evil.test".
 */
export function webUrl(text: string): URL | undefined {
  const url = text.length > longest ? undefined : parsedUrl(text);
  if (url === undefined) return undefined;
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url : undefined;
}

interface Named {
  readonly url: string;
  readonly title?: string | undefined;
}

/** The title on one line with nothing hidden in it; without one, the URL. */
export function nameOfUrl({ url, title = "" }: Named): string {
  const words = visible(title.replaceAll(/\s+/g, " ").trim());
  return words === "" ? (webUrl(url)?.href ?? visible(url)) : words;
}
