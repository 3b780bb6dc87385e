/**
 * Undefined if it is none. Not by `URL.canParse`: once the engine has compiled a call of it, that of Node 20 takes a host with
 * letters such as "ü" for none.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
