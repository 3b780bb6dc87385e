// What came of a reply in which nothing was understood, to be looked at (requirements G7): its beginning, without
// secrets and what is encrypted.
import type { Mask } from "../util/mask.ts";
import { plainText } from "../util/plain-text.ts";
import { withoutOpaque } from "./trace.ts";

export interface UnreadBody {
  /** As the service named it, if it did. */
  readonly contentType: string;
  /** Of all that came. */
  readonly bytes: number;
  readonly text: string;
}

/** Characters: who can make sense of it can by its beginning. */
export const mostUnread = 16_384;
/** A secret that begins just before the cut would not be known for one. */
const edge = 256;

export function unreadBody(
  { beginning, bytes }: { readonly beginning: string; readonly bytes: number },
  contentType: string | undefined,
  mask: Mask,
): UnreadBody {
  const whole = beginning.length < mostUnread ? beginning : beginning.slice(0, -edge);
  const named = plainText(contentType?.split(";")[0]?.trim() ?? "", 100);
  return { contentType: named, bytes, text: plainText(mask(withoutOpaque(whole)), mostUnread) };
}
