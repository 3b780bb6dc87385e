// Which addresses are links: http and https only, in the form a browser would really go to. The host looks again before
// it opens one.
import { remembering } from "./remember.ts";

/** Longer addresses carry something else than a place to go. */
const longest = 8_192;

/** The address as it would be opened; undefined for everything that is not http or https. */
export const httpAddress = (href: string): string | undefined =>
  href.length > longest || !/^https?:/i.test(href) ? undefined : openedAddress(href);

const openedAddress = remembering((href): string | undefined => {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
});

const hostOf = remembering((address) => {
  const { hostname, host, username, password } = new URL(address);
  // "github.com@evil.test", or letters that only look like those of a known name.
  const isDisguised = username + password !== "" || /(?:^|\.)xn--/.test(hostname);
  return { hostname, host, isDisguised };
});

/** The host of `address` when the words of the link name another one, or hide it; else undefined. */
export function differentHost(words: string, address: string): string | undefined {
  const { hostname, host, isDisguised } = hostOf(address);
  if (isDisguised) return host;
  const bare = (name: string) => name.toLowerCase().replace(/^www\./, "");
  return namesIn(words).some((name) => bare(name) !== bare(hostname)) ? host : undefined;
}

const name = String.raw`((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|localhost)(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`;
const named = new RegExp(String.raw`(https?:\/\/|(?<![\p{L}\p{N}.\/_-]))${name}([/?#]\S*)?`, "giu");

/**
 * Hosts that these words claim to lead to, also in letters that only stand for others ("ｇithub．com"). "Node.js" and
 * "README.md" have the form of a host; they claim to be one only behind a scheme, or with a path where the words begin.
 */
const namesIn = remembering((words): readonly string[] => {
  const plain = words.normalize("NFKC").trimStart();
  return [...plain.matchAll(named)].flatMap(({ index, 1: scheme, 2: host = "", 3: rest = "" }) => {
    const isKnown = /^www\.|\.(?:com|org|net|io|dev|gov|edu)$/i.test(host);
    return scheme !== "" || isKnown || (index === 0 && rest.startsWith("/")) ? host : [];
  });
});
