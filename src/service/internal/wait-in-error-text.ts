// The waiting time that a service states in the words of an error, such as "try again in 20s".

const amount = String.raw`\d{1,7}(?:\.\d{1,12})?`;

const unit = "milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|毫秒|秒钟?|分钟?|小时";

const span = String.raw`(?:${amount}\s?(?:${unit})(?![a-z])[\s,]{0,2}(?:and )?){1,3}`;

const asked: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:try|retry|retried|wait|available|resets?)\b[\w ,'"-]{0,40}?[\s=:~]{1,3}(${span})`,
    "i",
  ),
  new RegExp(String.raw`(?:重试|稍等|等待|请在|请于|请)\s{0,2}(${span})`, "i"),
];

/** A number without a unit is in seconds. */
const bare = new RegExp(
  String.raw`\bretry[ _-]?after["']?\s?(?:[:=]|is)?\s?["']?(${amount})(?:["',.)}\s]|$)`,
  "i",
);

/**
 * Reads how long a service asks to wait from the words of its error, if it does not use a header: "Please try again in
 * 11.054s", "after 5 seconds", "Please retry in 1m30s", "请在 5 秒后重试". In milliseconds; `undefined` when no time is
 * named.
 */
export function parseWait(text: string): number | undefined {
  const words = text.slice(0, maxText);
  const found = asked.map((pattern) => pattern.exec(words)?.[1]).find((each) => each !== undefined);
  if (found !== undefined) return milliseconds(found);
  const seconds = Number(bare.exec(words)?.[1] ?? 0);
  return seconds > 0 ? seconds * 1000 : undefined;
}

const maxText = 2_000;

function milliseconds(text: string): number | undefined {
  let sum = 0;
  for (const [, number = "0", word = "s"] of text.matchAll(
    new RegExp(String.raw`(${amount})\s?(${unit})(?![a-z])`, "gi"),
  ))
    sum += Number(number) * millisecondsOf(word.toLowerCase());
  return sum > 0 && Number.isFinite(sum) ? sum : undefined;
}

function millisecondsOf(word: string): number {
  if (/^(?:ms|milli|毫)/.test(word)) return 1;
  if (/^(?:m|分)/.test(word)) return 60_000;
  return /^(?:h|小)/.test(word) ? 3_600_000 : 1000;
}
