// Bare addresses in text, as GitHub finds them: "http://", "https://" and "www." with GFM's rules for where an address
// ends. It also ends at quotation marks, CJK punctuation and characters nobody sees. Mail addresses stay text: only
// http and https are ever links here.
import type { StateInline } from "markdown-it";
import { hasHidden } from "../../core/conversation/hidden-characters.ts";

const scheme = /(?:^|[^a-z0-9])(https?)$/i;
const end = /[\s<>"`\u2018-\u201F\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65]/;
const host = /^(?:[\p{L}\p{N}_-]+@)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;

/** The inline rule; ":" is where markdown-it stops, so the scheme lies behind. */
export function autolink(state: StateInline, silent: boolean): boolean {
  // Silent runs look for the end of a link's label, and an address must not hide that.
  if (silent || state.linkLevel > 0 || !state.src.startsWith("://", state.pos)) return false;
  const found = scheme.exec(state.pending.slice(-6))?.[1];
  if (found === undefined) return false;
  const address = addressAt(state.src.slice(state.pos - found.length, state.posMax), found.length + 3);
  if (address === undefined) return false;
  state.pending = state.pending.slice(0, -found.length);
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", state.md.normalizeLink(address)]];
  open.info = "auto";
  state.push("text", "", 0).content = address;
  state.push("link_close", "a", -1).info = "auto";
  state.pos += address.length - found.length;
  return true;
}

/** A "www." address at the start of `text`. */
export const wwwAddress = (text: string): string | undefined =>
  /^www\./i.test(text) ? addressAt(text, 0) : undefined;

function addressAt(source: string, hostAt: number): string | undefined {
  const stop = source.search(end);
  const whole = stop === -1 ? source : source.slice(0, stop);
  const address = whole.slice(0, firstHidden(whole));
  const name = host.exec(address.slice(hostAt))?.[0];
  if (name === undefined || !isHost(name, hostAt === 0)) return undefined;
  const length = trimmedLength(address);
  return length > hostAt ? address.slice(0, length) : undefined;
}

function isHost(name: string, dotted: boolean): boolean {
  const segments = name.split(".");
  return (!dotted || segments.length > 1) && !segments.slice(-2).some((segment) => segment.includes("_"));
}

const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Punctuation at the end belongs to the sentence; a closing bracket does too, unless the address opens it. */
function trimmedLength(address: string): number {
  const surplus = countBrackets(address);
  for (let length = address.length; ; length -= 1) {
    const last = address.charAt(length - 1);
    if (last === ";") {
      const entity = /&[a-z0-9]{1,31};$/i.exec(address.slice(Math.max(0, length - 33), length))?.[0];
      if (entity === undefined) return length;
      length -= entity.length - 1;
    } else if (last in openers && (surplus.get(last) ?? 0) > 0) {
      surplus.set(last, (surplus.get(last) ?? 0) - 1);
    } else if (last === "" || !"?!.,:*_~'".includes(last)) return length;
  }
}

/** How many more of each closing bracket there are than of its opening one. */
function countBrackets(address: string): Map<string, number> {
  const surplus = new Map<string, number>();
  for (const character of address) {
    for (const [closing, opening] of Object.entries(openers)) {
      if (character === closing) surplus.set(closing, (surplus.get(closing) ?? 0) + 1);
      if (character === opening) surplus.set(closing, (surplus.get(closing) ?? 0) - 1);
    }
  }
  return surplus;
}

function firstHidden(text: string): number {
  if (!hasHidden(text)) return text.length;
  let index = 0;
  while (!hasHidden(text.charAt(index))) index += 1;
  return index;
}
