// What came of a reply in which nothing was understood, to be looked at (requirements G7): its beginning, without
// secrets and what is encrypted.
import { cutBeforeWord, type Mask, maskedWords } from "../util/mask.ts";
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
export const maxUnread = 16_384;

export function unreadBody(
  { beginning, bytes }: { readonly beginning: string; readonly bytes: number },
  contentType: string | undefined,
  mask: Mask,
): UnreadBody {
  // A secret that begins just before the cut would not be known for one.
  const whole = beginning.length < maxUnread ? beginning : cutBeforeWord(beginning);
  const named = plainText(contentType?.split(";")[0]?.trim() ?? "", 100);
  return { contentType: named, bytes, text: maskedWords(mask, withoutOpaque(whole), maxUnread) };
}
