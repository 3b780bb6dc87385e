// A note about who wrote the lines of a commit, as the Git AI Standard 3.0.0 has it: attestations, which map files to
// ranges of lines, a divider, and a JSON object about the sessions and people that they name. A note that is read comes
// from anybody who can push to the repository, so it is hostile: its size is limited, it is read in one pass, and nothing
// that breaks the format is guessed at.
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../../util/json.ts";

export const notesRef = "refs/notes/ai";
const version = "authorship/3.0.0";
const divider = "---";

/** One-based and inclusive. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Lines that one call of a session has written. */
export interface Attestation {
  readonly session: SessionName;
  /** What tells the call from all others. */
  readonly call: string;
  readonly spans: readonly LineSpan[];
}

/** A conversation with one model: the standard has one model per session. */
interface SessionName {
  readonly conversation: string;
  readonly model: string;
}

/** What else is known of a call, by a short name; the standard has pairs of strings for it. */
export type CallFacts = Readonly<Record<string, string>>;

export interface CommitAttestations {
  readonly commit: string;
  /** `Name <email>` of who accepted the lines. */
  readonly person: string;
  readonly files: readonly { readonly path: string; readonly attestations: readonly Attestation[] }[];
  /** By call. */
  readonly facts: ReadonlyMap<string, CallFacts>;
}

const tool = "patchbay";

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 14);

const idOf = ({ conversation, model }: SessionName): string => `${conversation}/${model}`;

const sessionKey = (session: SessionName): string => `s_${shortHash(`${tool}:${idOf(session)}`)}`;

/** The same call has the same key whenever its note is written. */
const traceKey = (call: string): string => `t_${shortHash(call)}`;

/** Whether the standard can express a path: one with quotes, or on several lines, it cannot. */
export const isExpressible = (path: string): boolean =>
  path !== divider && path !== "" && !/["\p{Cc}\u2028\u2029]/u.test(path);

/** `undefined` if there is nothing to attest. */
export function printAuthorshipLog(log: CommitAttestations): string | undefined {
  const lines: string[] = [];
  const sessions: Record<string, object> = {};
  for (const { path, attestations } of log.files) {
    const own = attestations.filter(({ spans }) => spans.length > 0);
    if (own.length === 0 || !isExpressible(path)) continue;
    lines.push(/\s/.test(path) ? `"${path}"` : path);
    for (const { session, call, spans } of own) {
      const [key, trace] = [sessionKey(session), traceKey(call)];
      lines.push(`  ${key}::${trace} ${spans.map(printSpan).join(",")}`);
      const facts = Object.entries(log.facts.get(call) ?? {}).map(([name, value]) => [
        `${trace}.${name}`,
        value,
      ]);
      const known = (sessions[key] as { custom_attributes?: object } | undefined)?.custom_attributes;
      const attributes = { ...known, ...Object.fromEntries(facts) };
      sessions[key] = {
        agent_id: { tool, id: idOf(session), model: session.model },
        human_author: log.person,
        ...(Object.keys(attributes).length > 0 && { custom_attributes: attributes }),
      };
    }
  }
  if (lines.length === 0) return undefined;
  const metadata = { schema_version: version, base_commit_sha: log.commit, prompts: {}, sessions };
  return `${[...lines, divider].join("\n")}\n${JSON.stringify(metadata, null, 2)}\n`;
}

const printSpan = ({ first, last }: LineSpan): string => (first === last ? `${first}` : `${first}-${last}`);

/** What a note says of a line. */
export type LineAuthor =
  | { readonly kind: "person"; readonly author: string }
  | {
      readonly kind: "agent";
      readonly tool: string;
      readonly model: string;
      /** Who directed it. */
      readonly person?: string | undefined;
      /** Attributes that the note has for the call, or for the whole session where it names no call. */
      readonly facts: CallFacts;
    };

/** In bytes or characters; longer notes are not read. */
export const longestNote = 512 * 1024;
const most = { files: 5_000, entries: 20_000, spans: 100_000, records: 5_000, attributes: 50 };

const text = z.string().check(z.maxLength(1000));
const Attributes = z.optional(z.nullable(z.record(z.string().check(z.maxLength(200)), z.unknown())));
const Agent = z.object({
  agent_id: z.object({ tool: text, model: text }),
  human_author: z.optional(z.nullable(text)),
  custom_attributes: Attributes,
});
const Metadata = z.object({
  schema_version: z.literal(version),
  prompts: z.record(z.string(), z.unknown()),
  humans: z.optional(z.record(z.string(), z.unknown())),
  sessions: z.optional(z.record(z.string(), z.unknown())),
});
const Person = z.object({ author: text });

interface Entry {
  readonly key: string;
  readonly spans: readonly LineSpan[];
}

export interface AuthorshipLog {
  /** Who wrote this line of a file, counted from 1; the last entry counts. */
  authorOf(path: string, line: number): LineAuthor | undefined;
}

/** `undefined`: it is too long, breaks the format, or is of another version. */
export function parseAuthorshipLog(note: string): AuthorshipLog | undefined {
  if (note.length > longestNote) return undefined;
  const end = note.startsWith(`${divider}\n`) ? 0 : note.indexOf(`\n${divider}\n`) + 1;
  if (end === 0 && !note.startsWith(`${divider}\n`)) return undefined;
  const files = parseAttestations(note.slice(0, end));
  const metadata = Metadata.safeParse(parseJson(note.slice(end + divider.length + 1))).data;
  if (files === undefined || metadata === undefined) return undefined;
  const { prompts, humans = {}, sessions = {} } = metadata;
  if ([prompts, humans, sessions].some((records) => Object.keys(records).length > most.records))
    return undefined;

  function authorBy(key: string): LineAuthor | undefined {
    const [session = "", trace] = key.split("::");
    if (key.startsWith("h_")) {
      const author = Person.safeParse(own(humans, key)).data?.author;
      return author === undefined ? undefined : { kind: "person", author };
    }
    const record = key.startsWith("s_") ? own(sessions, session) : own(prompts, key);
    const agent = Agent.safeParse(record).data;
    if (agent === undefined) return undefined;
    const { tool, model } = agent.agent_id;
    const facts = factsOf(agent.custom_attributes ?? {}, trace);
    return { kind: "agent", tool, model, person: agent.human_author ?? undefined, facts };
  }

  return {
    authorOf(path, line) {
      const covers = ({ first, last }: LineSpan) => first <= line && line <= last;
      const entries = files.get(path)?.filter(({ spans }) => spans.some(covers)) ?? [];
      for (const { key } of entries.toReversed()) {
        const author = authorBy(key);
        if (author !== undefined) return author;
      }
      return undefined;
    },
  };
}

const own = (records: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(records, key) ? records[key] : undefined;

/** Those of a call come without its key; those of other calls are left out. */
function factsOf(attributes: Readonly<Record<string, unknown>>, trace: string | undefined): CallFacts {
  const facts: [string, string][] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== "string" || value.length > 1000) continue;
    const isOfCall = trace !== undefined && name.startsWith(`${trace}.`);
    if (isOfCall) facts.push([name.slice(trace.length + 1), value]);
    else if (!/^t_[0-9a-f]+\./.test(name)) facts.push([name, value]);
    if (facts.length >= most.attributes) break;
  }
  return Object.fromEntries(facts);
}

function parseAttestations(section: string): ReadonlyMap<string, readonly Entry[]> | undefined {
  const files = new Map<string, Entry[]>();
  let current: Entry[] | undefined;
  const left = { entries: most.entries, spans: most.spans };
  for (const line of section.split("\n")) {
    if (line === "") continue;
    if (!line.startsWith("  ")) {
      const path = pathIn(line);
      if (path === undefined || files.size >= most.files) return undefined;
      current = files.get(path) ?? [];
      files.set(path, current);
      continue;
    }
    const [, key, ranges] = /^ {2}(\S{1,80}) (\S+)$/.exec(line) ?? [];
    const spans = ranges === undefined ? undefined : parseSpans(ranges);
    if (current === undefined || key === undefined || spans === undefined || !isKey(key)) return undefined;
    left.entries -= 1;
    left.spans -= spans.length;
    if (left.entries < 0 || left.spans < 0) return undefined;
    current.push({ key, spans });
  }
  return files;
}

/** The lengths of keys may change within this version of the standard. */
const isKey = (key: string): boolean =>
  /^(?:s_[0-9a-f]{7,32}::t_[0-9a-f]{7,32}|h_[0-9a-f]{7,32}|[0-9a-f]{7,32})$/.test(key);

function pathIn(line: string): string | undefined {
  if (/^\s/.test(line)) return undefined;
  if (!line.startsWith('"')) return line.includes('"') ? undefined : line;
  const path = line.endsWith('"') ? line.slice(1, -1) : "";
  return path === "" || path.includes('"') ? undefined : path;
}

function parseSpans(ranges: string): readonly LineSpan[] | undefined {
  const spans: LineSpan[] = [];
  for (const range of ranges.split(",")) {
    const [, first = "", last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(range) ?? [];
    if (first === "" || Number(last) < Number(first)) return undefined;
    spans.push({ first: Number(first), last: Number(last) });
  }
  return spans;
}
