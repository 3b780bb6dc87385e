// What a model answers when it is asked for a whole text: the last block of code, found line by line.

/** The whole new text is what stands in the last fence; it may hold shorter fences of its own. */
export function lastCodeBlock(answer: string): string | undefined {
  const lines = answer.split("\n");
  const fences = lines.flatMap((line, at) => {
    const [ticks = ""] = /^`{3,}/.exec(line) ?? [];
    const info = line.slice(ticks.length);
    return ticks === "" ? [] : [{ at, length: ticks.length, isBare: info.trim() === "", info }];
  });
  /** What has no end here has none further on. */
  let endless = Number.POSITIVE_INFINITY;
  let last: string | undefined;
  for (let index = 0; index < fences.length; index++) {
    const fence = fences[index];
    if (fence === undefined || fence.info.includes("`") || fence.length >= endless) continue;
    let end = index + 1;
    while (end < fences.length && !(fences[end]?.isBare && (fences[end]?.length ?? 0) >= fence.length)) end++;
    if (end === fences.length) endless = fence.length;
    else {
      last = lines.slice(fence.at + 1, fences[end]?.at).join("\n");
      index = end;
    }
  }
  return last;
}
