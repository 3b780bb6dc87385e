// What the connection check found, in sentences: one finding per question that the interface leaves open. Pure.
import type { Problem } from "../conversation/problem.ts";
import type { Seen } from "./call.ts";
import { type Found, nothingFound } from "./capabilities.ts";
import type { Framing } from "./records.ts";
import type { Receipt, Reply } from "./reply.ts";
import type { Settings } from "./settings.ts";

export type KeyCheck = { readonly receipt?: Receipt } & (
  | { readonly ok: true; readonly model: string; readonly tokens: number; readonly milliseconds: number }
  | { readonly ok: false; readonly problem: Problem }
);

export interface Finding {
  readonly name: string;
  readonly state: "yes" | "no" | "unknown";
  readonly detail: string;
}

export interface ConnectionReport {
  readonly findings: readonly Finding[];
  readonly requests: number;
  /** How long the token count took. */
  readonly milliseconds?: number;
  /** What is left out or changed from now on. */
  readonly found: Found;
  readonly problem?: Problem;
}

/** What was asked, and what came of it. */
export interface Probed {
  readonly settings: Settings;
  readonly key: KeyCheck;
  readonly response: Reply;
  readonly chatted: Reply;
  readonly found: Found;
  readonly seen: readonly Seen[];
}

export function findingsOf(probed: Probed): Finding[] {
  const { key, response, chatted } = probed;
  const replied = response.problem === undefined || chatted.problem === undefined;
  const signed = probed.seen.some((one) => one.header("svc-request-signature") !== undefined);
  return [
    ...keyFindings(key, replied),
    streaming("Responses", response, seenAt(probed, "/responses")),
    streaming("Chat completions", chatted, seenAt(probed, "/chat/completions")),
    ...fieldFindings(probed),
    ...shapeFindings(probed),
    signing(probed.settings.nonceHeader, signed),
  ];
}

/** `replied`: another operation was answered, so that service and key are there whatever became of the count. */
export function keyFindings(key: KeyCheck, replied: boolean): Finding[] {
  if (key.ok) {
    return [
      finding("Reachable", "yes", `The token count took ${key.milliseconds} ms.`),
      finding("Key accepted", "yes", "The key was accepted."),
      finding("Token estimate", "yes", `“ping” has ${key.tokens} tokens.`),
    ];
  }
  const { kind, message, status } = key.problem;
  const estimate = finding("Token estimate", "no", message);
  if (replied) {
    const detail = "A reply was given.";
    return [finding("Reachable", "yes", detail), finding("Key accepted", "yes", detail), estimate];
  }
  return [
    finding("Reachable", status === undefined ? "no" : "yes", message),
    finding("Key accepted", kind === "auth" ? "no" : "unknown", message),
    estimate,
  ];
}

const framings: Readonly<Record<Framing, string>> = {
  sse: "an event stream",
  lines: "JSON lines",
  document: "one document",
  html: "a page",
  unknown: "nothing",
};

function streaming(name: string, { status, problem }: Reply, seen: Seen | undefined): Finding {
  if (problem !== undefined || seen === undefined) {
    return finding(name, "no", problem?.message ?? "No reply was read.");
  }
  // One line is a document too.
  const framing = seen.framing === "lines" && seen.records === 1 ? "document" : seen.framing;
  const detail = `The reply ended ${status}; it came as ${framings[framing]} (${seen.vocabulary}).`;
  return finding(name, "yes", detail);
}

const unread = "No reply was read.";

function fieldFindings({ settings, response, found }: Probed): Finding[] {
  const field = (name: string, key: string, isSent = true): Finding => {
    if (key === "" || !isSent) return finding(name, "unknown", "It is not sent.");
    if (found.refused.includes(key)) return finding(name, "no", `“${key}” is left out from now on.`);
    if (response.problem !== undefined) return finding(name, "unknown", unread);
    return finding(name, "yes", `“${key}” is accepted.`);
  };
  return [
    field("Cache identifier", settings.cacheKeyField),
    field("User identifier", settings.userIdField, settings.userId !== undefined),
    field("Cache lifetime", "prompt_cache_options"),
  ];
}

function shapeFindings({ response, found }: Probed): Finding[] {
  const shape = (name: string, isBest: boolean, worse: string): Finding => {
    if (!isBest) return finding(name, "no", worse);
    return response.problem === undefined
      ? finding(name, "yes", "It is accepted.")
      : finding(name, "unknown", unread);
  };
  const plainer = found.patch === "text" ? "It is sent without its grammar." : "It is sent as a function.";
  const isFlat = found.namespaces !== nothingFound.namespaces;
  return [
    shape("Patch tool", found.patch === nothingFound.patch, plainer),
    shape("Tool namespaces", !isFlat, "Tools are sent as single functions."),
    ...historyFindings(found),
  ];
}

/** Nothing is asked about it here: it is known only where a conversation has found it out. */
function historyFindings({ history }: Found): Finding[] {
  const name = "Its own earlier items";
  switch (history) {
    case "whole":
      return [];
    case "no-search":
      return [finding(name, "no", "Its own searches are left out of what is sent back.")];
    case "plain":
      return [finding(name, "no", "Its answers are sent back retold, without its thoughts and searches.")];
    default:
      return history satisfies never;
  }
}

function signing(nonceHeader: string, signed: boolean): Finding {
  const name = "Signed replies";
  if (nonceHeader === "") return finding(name, "unknown", "No nonce header is set.");
  return signed
    ? finding(name, "yes", "Receipts are recorded; how to verify them is not published.")
    : finding(name, "no", `The service did not answer to the header ${nonceHeader}.`);
}

const seenAt = ({ seen }: Probed, path: string): Seen | undefined => seen.find((one) => one.path === path);
const finding = (name: string, state: Finding["state"], detail: string): Finding => ({ name, state, detail });
