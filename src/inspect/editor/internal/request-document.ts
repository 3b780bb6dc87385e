// Renders a request and its response for the user, before sending or for a past turn: JSON with comments, formatted for
// reading, and saying so. If something was not kept, it says that too.
import * as vscode from "vscode";
import type { Problem } from "../../../conversation/problem.ts";
import type { Turn } from "../../../conversation/state.ts";
import { localize } from "../../../editor/localize.ts";
import { problemInWords } from "../../../editor/ui/show-problem.ts";
import type { Reply } from "../../../service/reply.ts";
import type { Composed } from "../../../service/request.ts";
import type { KeptTurn, ToldFile, ToldFiles } from "../../../session/session-context.ts";
import { featuresOfBlocks } from "../../../usage/local-estimate.ts";
import type { Features } from "../../../usage/text-features.ts";
import { visibleName } from "../../../util/hidden-characters.ts";
import { parseJson } from "../../../util/json.ts";
import type { Exchange } from "../../exchanges.ts";
import { hideEncrypted } from "../../internal/edit-and-compare.ts";

/** Approximate number of tokens for the model of the request. */
type About = (features: Features) => number;

const t = vscode.l10n.t;

export function requestText(composed: Composed, about: About, told: ToldFiles): string {
  const { text, contents } = hideEncrypted(pretty(composed.body));
  return [
    comment(
      t("The next request. It hasn't been sent."),
      "",
      `${composed.method} ${composed.url}`,
      `authorization: Bearer ${t("(your key)")}`,
      ...Object.entries(composed.headers).map(([name, value]) => `${name}: ${value}`),
      t("{0} bytes", Buffer.byteLength(composed.body)),
      "",
      ...tokenTable(composed.body, about),
      "",
      ...toldTable(told),
      contents.size === 0
        ? t("Formatted for reading. “Copy as curl” has the exact bytes.")
        : t("Formatted for reading. Only the size of encrypted content is shown."),
    ),
    text,
    "",
  ].join("\n");
}

/** One row per block, formatted like the composer's estimate. The service's own count may differ. */
function tokenTable(body: string, about: About): string[] {
  const rows = featuresOfBlocks(body).map(({ name, features }) => [name, about(features)] as const);
  const sum = rows.reduce((total, [, tokens]) => total + tokens, 0);
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return [
    t("≈{0} tokens (estimate):", sum),
    ...rows.map(([name, tokens]) => `  ${name.padEnd(width)}≈ ${tokens}`),
  ];
}

/** Instructions of folders are missing: they are found with their files. */
function toldTable({ files, left, unlisted }: ToldFiles): string[] {
  if (files.length === 0) return [];
  const width = Math.max(...files.map(({ path }) => path.length)) + 2;
  const rows = files.flatMap((file) => [
    `  ${visibleName(file.path).padEnd(width)}${whenTold(file)}`,
    ...file.notes.map((note) => `  ${" ".repeat(width)}${visibleName(localize(note))}`),
  ]);
  const more = [
    ...(left.rules > 0
      ? [t("{0} more files of instructions aren't read: there are too many.", left.rules)]
      : []),
    ...(left.skills > 0 ? [t("{0} more skills aren't read: there are too many.", left.skills)] : []),
    ...(unlisted > 0
      ? [t("{0} skills aren't listed for the model: their descriptions are too long together.", unlisted)]
      : []),
    ...(left.agents > 0 ? [t("{0} more agents aren't read: there are too many.", left.agents)] : []),
  ];
  return [t("What the Model Is Told by files:"), ...rows, ...more.map((line) => `  ${line}`), ""];
}

function whenTold({ when, applyTo = "", isAgreed }: ToldFile): string {
  if (!isAgreed) return t("not sent: you haven't agreed to it");
  if (when === "fitting") return t("with the first file that fits {0}", applyTo);
  if (when === "needed") return t("its description; its text when it's needed");
  if (when === "chosen") return t("as a conversation begins for which you have chosen it");
  return when === "used" ? t("when you use it as a command") : t("as a conversation begins");
}

interface InspectedTurn {
  readonly turn: Turn;
  /** Position in the conversation, from 1. */
  readonly number: number;
  /** Of this window. */
  readonly exchanges: readonly Exchange[];
  readonly kept: KeptTurn | undefined;
}

export function turnText({ turn, number, exchanges, kept }: InspectedTurn): string {
  const head = comment(
    t("Turn {0} on {1}, {2}", number, turn.model, new Date(turn.at).toLocaleString(vscode.env.language)),
    exchanges.length > 0
      ? t("Requests as sent from this window, formatted for reading. Streamed data isn't kept.")
      : t(
          "The request wasn't sent in this window, so it isn't available. Shown instead: the fixed beginning, the raw items of the turn, usage and receipts.",
        ),
    t("Headers aren't kept, so the key isn't shown."),
  );
  if (exchanges.length === 0) return `${head}\n${keptText(turn, kept)}\n`;
  return `${head}\n[\n${exchanges.map(exchangeText).join(",\n")}\n]\n`;
}

function exchangeText(exchange: Exchange, index: number): string {
  const { reply, sent, began, ended } = exchange;
  const title = sent === undefined ? t("Request {0}: not sent", index + 1) : t("Request {0}", index + 1);
  const answer = comment(
    t("Response to request {0}, after {1} ms", index + 1, ended - began),
    t("The output items are the service's own; the rest is how Patchbay read the reply."),
  );
  const request = sent === undefined ? "" : `\n${pretty(sent())},`;
  return `${comment(title)}${request}\n${answer}\n${JSON.stringify(replyView(reply), undefined, 2)}`;
}

function replyView(reply: Reply): unknown {
  const {
    status,
    id,
    model,
    usage,
    cache,
    reason,
    problem,
    requests,
    milliseconds,
    finish,
    items,
    text,
    unread,
  } = reply;
  return {
    status,
    id,
    model,
    reason,
    finish,
    ...(problem && { problem: spelled(problem) }),
    requests,
    milliseconds,
    prompt_cache_options: cache,
    usage,
    output: items.map(({ raw }) => parseJson(raw) ?? raw),
    ...(unread && { unread }),
    ...(items.length === 0 && text !== "" && { text }),
  };
}

function keptText(turn: Turn, kept: KeptTurn | undefined): string {
  const parsed = (items: readonly string[] = []) => items.map((raw) => parseJson(raw) ?? raw);
  const asked = kept?.asked.length ?? 0;
  return JSON.stringify(
    {
      instructions: kept?.opened?.instructions,
      tools: parsed(kept?.opened?.tools),
      items_before: kept?.before.length ?? 0,
      asked: parsed(kept?.asked),
      answered: parsed(kept?.items.slice(asked)),
      status: turn.status,
      ...(turn.problem && { problem: spelled(turn.problem) }),
      usage: turn.usage,
      receipts: turn.receipts,
    },
    undefined,
    2,
  );
}

/** Rows of a table keep their spaces; long sentences are wrapped. */
const comment = (...lines: readonly string[]): string =>
  lines
    .flatMap((line) => line.match(/.{1,100}(?=\s|$)|\S+/g) ?? [""])
    .map((line, at) =>
      `// ${at > 0 && line.startsWith(" ") && !line.startsWith("  ") ? line.trim() : line}`.trimEnd(),
    )
    .join("\n");

const pretty = (json: string): string => {
  const parsed = parseJson(json);
  return parsed === undefined ? json : JSON.stringify(parsed, undefined, 2);
};

/** A problem with its localized messages, which are all that the reader understands of it. */
function spelled(problem: Problem): object {
  const { hints: _, ...rest } = problem;
  return { ...rest, message: problemInWords(problem) };
}
