// Finds the `@word` or `/word` that is being typed. Pure.

export interface Trigger {
  readonly sign: "@" | "/";
  readonly query: string;
  /** Where the sign stands, and where the caret is. */
  readonly from: number;
  readonly to: number;
}

export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  // A command is the first word of a question; a mention may stand anywhere, but not inside a word (an address).
  const command = /^\/([\p{L}\p{N}_-]*)$/u.exec(before);
  if (command !== null) return { sign: "/", query: command[1] ?? "", from: 0, to: caret };
  const mention = /(?:^|[\s([{"'`])@([^\s@]*)$/u.exec(before);
  if (mention === null) return undefined;
  const query = mention[1] ?? "";
  return { sign: "@", query, from: caret - query.length - 1, to: caret };
}

/** A question that begins with the name of a saved way to ask. */
export function splitCommand(
  prompt: string,
  names: readonly string[],
): { readonly prompt: string; readonly command?: string } {
  const found = /^\/([\p{L}\p{N}_-]+)(?:\s+|$)/u.exec(prompt);
  const name = found?.[1];
  if (found === null || name === undefined || !names.includes(name)) return { prompt };
  return { prompt: prompt.slice(found[0].length), command: name };
}
