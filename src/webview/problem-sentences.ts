// The core says what went wrong in English, wherever it runs. Here its common sentences are known again by their form
// and put into the reader's language; what is not among them stays as it came. What the service said stays its own.

/** Each is the beginning of a sentence of core/api/errors.ts or said.ts; what follows it is the service's. */
export const problemSentences = {
  problemRedirect: "The service's address redirects elsewhere ({status}); the redirect was refused.",
  problemReach: "Cannot reach {host} ({code}).",
  problemCertificate: "The certificate of {host} was not accepted ({code}).",
  problemHtml:
    "The answer is a web page (HTML), not the service; a sign-in page of the network may be in between.",
  problemCut: "The connection ended before the reply was complete.",
  problemEmpty: "The service sent an empty reply.",
  problemGibberish:
    "The service answered in a form that could not be understood; it may have charged for the answer.",
  problemDamaged: "The reply arrived damaged and was not finished.",
  problemBug: "Something went wrong inside the extension.",
  problemKey: "The service refused the API key (401).",
  problemForbidden: "The API key is not allowed to do this (403)",
  problemQuota: "The service refused the request because of the account's quota ({status})",
  problemNotFound: "The service did not find it (404)",
  problemTooLarge: "The request is too large for the service ({status})",
  problemBusy: "The service is busy (429)",
  problemServer: "Server error {status}",
  problemNoConnection: "No connection to the service in {time}.",
  problemNoAnswer: "The service did not answer in {time}.",
  problemNoData: "The service sent no data for {time}.",
} as const;

export const tryAgainAt = "Try again at {time}.";

type Key = keyof typeof problemSentences;

const forms = Object.entries(problemSentences).map(([key, sentence]) => ({
  key: key as Key,
  form: formOf(sentence),
}));
const ending = new RegExp(` ${patternOf(tryAgainAt)}$`, "u");

export interface Translation {
  readonly sentences: Readonly<Record<Key | "tryAgainAt", string>>;
  /** "30 seconds", "5 minutes" */
  time(amount: number, unit: "seconds" | "minutes"): string;
}

/** The message in other words; the same message if its form is not known. */
export function translated(message: string, { sentences, time }: Translation): string {
  const later = ending.exec(message);
  const head = later === null ? message : message.slice(0, later.index);
  for (const { key, form } of forms) {
    const found = form.exec(head);
    if (found === null) continue;
    const values = {
      ...found.groups,
      ...(found.groups?.["time"] && { time: inWords(found.groups["time"]) }),
    };
    const told = fillHoles(sentences[key], values) + (found.groups?.["rest"] ?? "");
    return later === null ? told : `${told} ${fillHoles(sentences.tryAgainAt, later.groups ?? {})}`;
  }
  return message;

  function inWords(text: string): string {
    const [, amount, unit] = /^(\d+) (seconds|minutes)$/.exec(text) ?? [];
    return unit === "seconds" || unit === "minutes" ? time(Number(amount), unit) : text;
  }
}

/** A sentence that has no end here goes on with what the service said. */
function formOf(sentence: string): RegExp {
  const rest = sentence.endsWith(".") ? "" : "(?<rest>(?:\\.|: .*))";
  return new RegExp(`^${patternOf(sentence)}${rest}$`, "su");
}

function patternOf(sentence: string): string {
  return sentence
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part}>[^\\n]{1,300}?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    )
    .join("");
}

const fillHoles = (sentence: string, values: Readonly<Record<string, string | undefined>>): string =>
  sentence.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
