// A request as a `curl` command for a POSIX shell. The key is the shell's own variable: no text of ours ever holds it.
import type { Composed } from "../api/request.ts";
import { hideEncrypted } from "./encrypted.ts";

/** One word of a POSIX shell, whatever is in it; a NUL cannot be in one. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;

/** What one argument may hold on Linux is 128 KiB; a longer body comes by standard input. */
const longestWord = 100_000;

/** `note`: the sentence that says so where encrypted content is left out, which belongs in no clipboard. */
export function curlOf({ method, url, headers, body: whole }: Composed, note: string): string {
  const { text: body, contents } = hideEncrypted(whole);
  const remark = contents.size === 0 ? "" : `# ${note.replace(/\s+/g, " ")}\n`;
  const named = Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`);
  const isLong = Buffer.byteLength(body) > longestWord;
  const lines = [
    `curl -X ${method} ${shellWord(url)}`,
    `-H "Authorization: Bearer $PATCHBAY_KEY"`,
    ...named,
    isLong ? "--data-binary @-" : `--data-raw ${shellWord(body)}`,
  ];
  const command = remark + lines.join(" \\\n  ");
  if (!isLong) return `${command}\n`;
  const end = endWord(body);
  return `${command} <<'${end}'\n${body}\n${end}\n`;
}

/** A line that does not stand in the body. */
function endWord(body: string): string {
  const lines = new Set(body.split("\n"));
  let word = "END_OF_BODY";
  while (lines.has(word)) word += "_";
  return word;
}
