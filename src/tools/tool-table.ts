// All tools at one moment: which exist, which are allowed, and how they are described to the model. The definitions of
// a conversation are created here once and then frozen; permission is checked again at every call.

import { createHash } from "node:crypto";
import { message } from "../conversation/messages.ts";
import { type Permission, permissions } from "../conversation/models.ts";
import { Refusal } from "../files/refusal.ts";
import { readArguments } from "../service/response-items.ts";
import { asObject, isObject, type JsonObject, writeJson } from "../util/json.ts";
import { forModel } from "../util/sentences.ts";
import { applyPatch } from "./apply-patch.ts";
import { askUser } from "./internal/ask-user.ts";
import { gitBlame, gitDiff, gitLog } from "./internal/git-tools.ts";
import { listFiles } from "./internal/list-files.ts";
import { diskOnlyNote, problems } from "./internal/list-problems.ts";
import { findDefinition, findReferences, findSymbol, hover, outline } from "./internal/navigate-code.ts";
import { readFile } from "./internal/read-file.ts";
import { readSkill } from "./internal/read-skill.ts";
import { renameSymbol } from "./internal/rename-symbol.ts";
import { runChecks } from "./internal/run-checks.ts";
import { runCommand } from "./internal/run-command.ts";
import { searchText } from "./internal/search-text.ts";
import { updatePlan } from "./internal/update-plan.ts";
import type { Tool, ToolResult } from "./tool.ts";

export interface ToolSettings {
  /** The user's permissions by `name`, `namespace` or `namespace/name`. */
  readonly user: ReadonlyMap<string, Permission>;
  /** The workspace's permissions, which can only be stricter. */
  readonly workspace: ReadonlyMap<string, Permission>;
}

/**
 * Identities of third-party tools that a person lets run without asking. Names are not enough, since another tool may
 * take over a name.
 */
export interface ApprovedTools {
  has(identity: string): boolean;
  add(identity: string): unknown;
}

export interface ToolTable {
  readonly tools: readonly Tool[];
  find(name: string, namespace: string | undefined): Tool | undefined;
  permission(tool: Tool): Permission;
  /** The tool would run without asking if anybody had approved its current identity. */
  isUnapproved(tool: Tool): boolean;
  approve(tool: Tool): void;
  /** Raw JSON of the offered tools, always in the same order. */
  definitions(): readonly string[];
}

/** The tool's name for people and in settings. */
export const fullName = ({ name, namespace }: Pick<Tool, "name" | "namespace">): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** `ofConversation`: the user's choices in this conversation for third-party tools, by full name. */
export function createToolTable(
  all: readonly Tool[],
  settings: ToolSettings,
  approved: ApprovedTools,
  ofConversation: ReadonlyMap<string, Permission> = new Map(),
): ToolTable {
  const tools = usable(all);
  const byName = new Map(tools.map((tool) => [fullName(tool), tool]));
  const wanted = (tool: Tool) => {
    const always = chosen(settings.user, tool);
    const here = tool.namespace === undefined ? undefined : ofConversation.get(fullName(tool));
    const byName = always === "off" ? always : (here ?? always ?? tool.permission);
    return strictest(byName, chosen(settings.workspace, tool) ?? "auto");
  };
  const isUnapproved = (tool: Tool) =>
    tool.identity !== undefined && wanted(tool) === "auto" && !approved.has(tool.identity);
  const permission = (tool: Tool) => (isUnapproved(tool) ? "ask" : wanted(tool));
  return {
    tools,
    find: (name, namespace) => byName.get(fullName(namespace === undefined ? { name } : { name, namespace })),
    permission,
    isUnapproved,
    approve(tool) {
      if (tool.identity !== undefined) approved.add(tool.identity);
    },
    definitions: () => define(tools.filter((tool) => permission(tool) !== "off")),
  };
}

/** The most specific setting wins: the tool's, otherwise its namespace's. */
const chosen = (from: ReadonlyMap<string, Permission>, tool: Tool): Permission | undefined =>
  from.get(fullName(tool)) ?? (tool.namespace === undefined ? undefined : from.get(tool.namespace));

const strictest = (...all: readonly Permission[]): Permission =>
  permissions.findLast((permission) => all.includes(permission)) ?? "off";

/**
 * Keeps tools whose names the service accepts and that stay distinct when a namespace is written into them
 * (requirements B22). Drops third-party tools whose definition cannot be serialized.
 */
function usable(tools: readonly Tool[]): readonly Tool[] {
  const taken = new Set<string>();
  return tools.filter(({ name, namespace, definition }) => {
    const flat = namespace === undefined ? name : `${namespace}__${name}`;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(flat) || taken.has(flat) || definition === "") return false;
    taken.add(flat);
    return true;
  });
}

function define(tools: readonly Tool[]): string[] {
  const sorted = tools.toSorted((one, other) => (fullName(one) < fullName(other) ? -1 : 1));
  const own = sorted.filter(({ namespace }) => namespace === undefined);
  const names = new Set(own.map(({ name }) => name));
  const namespaces = new Set(sorted.flatMap(({ namespace }) => namespace ?? []));
  const others = [...namespaces].map((name) => {
    const inner = sorted.filter(({ namespace }) => namespace === name).map(({ definition }) => definition);
    const description = JSON.stringify(forModel(`Tools of ${name}.`));
    return `{"type":"namespace","name":${JSON.stringify(name)},"description":${description},"tools":[${inner.join(",")}]}`;
  });
  return [...own.map((tool) => tool.definitionAmong?.(names) ?? tool.definition), ...others];
}

/**
 * The tools that come with Patchbay, in the order in which they are typically needed, as the instructions name them.
 * Their definitions are sorted when they are offered.
 */
export const ownTools: readonly Tool[] = [
  readFile,
  searchText,
  listFiles,
  findDefinition,
  findReferences,
  findSymbol,
  outline,
  hover,
  gitLog,
  gitDiff,
  gitBlame,
  problems,
  applyPatch,
  renameSymbol,
  runChecks,
  runCommand,
  readSkill,
  updatePlan,
  askUser,
];

/** Whether a call would change or start something. */
export const isActing = ({ kind, acts }: Pick<Tool, "kind" | "acts">): boolean => acts ?? kind === "write";

/** Offered only where the user has checks. */
export const nameOfRunChecks = runChecks.name;

/** Offered only where a person lets commands run. */
export const nameOfRunCommand = runCommand.name;

/** Offered only where there are skills. */
export const nameOfReadSkill = readSkill.name;

/** Runs on the service. It has no options (interface, "Tool definitions"). */
export const webSearch = JSON.stringify({ type: "web_search" });

/**
 * A tool of another extension or of an MCP server. The editor supplies the current ones; here they become rows of the
 * tool table, each in its owner's namespace and disabled until the user enables it. Their answers are handled like all
 * others: capped, redacted, and with errors as text for the model.
 */
export interface HostTool {
  /** The owner's namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. The tool's owner validates them. */
  readonly parameters: object;
  /** The tool declares itself read-only and may therefore run in parallel with others. */
  readonly readOnly: boolean;
  /** Describes the arguments briefly for people. Absent: they are shown unchanged. */
  summary?(input: Readonly<Record<string, unknown>>): string;
  /** If the promise rejects, the model is shown the error's message. */
  call(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<HostAnswer>;
}

export type HostAnswer = Pick<ToolResult, "output" | "images">;

const seconds = 120;

export function hostTool(host: HostTool): Tool {
  const [name, namespace] = [plain(host.name), plain(host.namespace)];
  const { description, parameters, readOnly } = host;
  const schema = { type: "object", ...parameters };
  const definition = writeJson({ type: "function", name, description, strict: false, parameters: schema });
  const identity = JSON.stringify([host.namespace, host.name, definition, readOnly]);
  return {
    name,
    namespace,
    identity: createHash("sha256").update(identity).digest("hex"),
    definition,
    kind: readOnly ? "read" : "write",
    permission: "off",
    seconds,
    prepare(text) {
      const input = readArguments(text);
      if (input === undefined) throw new Refusal(message("toolNoObject", { name }));
      const summary = host.summary?.(input) ?? text.trim();
      return {
        summary,
        async run({ proposed }, signal) {
          const answer = await answerOf(host, input, signal);
          return { ...answer, output: `${answer.output}${diskOnlyNote(proposed)}` };
        },
      };
    },
  };
}

async function answerOf(
  host: HostTool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<HostAnswer> {
  try {
    return await host.call(input, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new Refusal(
      message("toolFailedSaying", {
        name: host.name,
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
  }
}

/** Replaces characters that are not allowed in names on the wire (requirements B22). */
const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]+/g, "_");

/** A third-party tool as a person chooses among them: what it is and which permission it has in a conversation. */
export interface OtherTool {
  /** The full name, as used in the settings. */
  readonly name: string;
  readonly namespace: string;
  readonly description: string;
  /** Permission to run without asking is bound to this identity. */
  readonly identity: string;
  readonly permission: Permission;
  /** The settings turn the tool off, and no choice made here overrides that. */
  readonly isBarred: boolean;
}

export function otherTools(
  hosts: readonly HostTool[],
  settings: ToolSettings,
  approved: ApprovedTools,
  chosen: Readonly<Record<string, Permission>>,
): readonly OtherTool[] {
  const all = hosts.map((host) => ({ host, tool: hostTool(host) }));
  const tools = all.map(({ tool }) => tool);
  const table = createToolTable(tools, settings, approved, new Map(Object.entries(chosen)));
  const asking = new Map(tools.map((tool) => [fullName(tool), "ask" as const]));
  const asked = createToolTable(tools, settings, approved, asking);
  const described = new Map(all.map(({ host, tool }) => [tool, host.description]));
  return table.tools.map((tool) => ({
    name: fullName(tool),
    namespace: tool.namespace ?? "",
    description: described.get(tool) ?? "",
    identity: tool.identity ?? "",
    permission: table.permission(tool),
    isBarred: asked.permission(tool) === "off",
  }));
}

type CleanedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  /** `name`: a reference that points outside the document, to nothing, or back to itself. */
  | { readonly ok: false; readonly reason: "reference"; readonly name: string }
  | { readonly ok: false; readonly reason: "size" };

/** Inlining references may repeat a part many times. */
const maxNodes = 5_000;
/** A chain of references must be followed to its last level before it is known where it ends. */
const maxDepth = 200;

const aboutDocument = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$comment",
  "$vocabulary",
  "$defs",
  "definitions",
  // String values were resolved before; any other value refers to nothing.
  "$ref",
  "$dynamicRef",
]);
/** The keys below these keywords are names chosen by the tool, not JSON Schema keywords. */
const named = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** The values of these keywords are data, in which a "$ref" is no reference. */
const verbatim = new Set(["default", "const", "enum", "examples"]);

/**
 * Converts the JSON Schema of a third-party tool to a form that services accept: removes keywords about the schema
 * document itself and inlines every reference. Reports references that cannot be inlined. Knows no tools.
 */
export function cleanSchema(root: JsonObject): CleanedSchema {
  let nodes = 0;
  let depth = 0;

  function clean(schema: unknown, following: readonly string[]): unknown {
    depth += 1;
    const cleaned = cleanOne(schema, following);
    depth -= 1;
    return cleaned;
  }

  function cleanOne(schema: unknown, following: readonly string[]): unknown {
    nodes += 1;
    if (nodes > maxNodes || depth > maxDepth) throw new Unclean({ ok: false, reason: "size" });
    if (Array.isArray(schema)) return schema.map((each) => clean(each, following));
    if (!isObject(schema)) return schema;
    const name = schema["$ref"] ?? schema["$dynamicRef"];
    if (typeof name === "string") return inPlace(schema, name, following);
    const kept = Object.entries(schema).filter(([key]) => !aboutDocument.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, cleanValue(key, value, following)]));
  }

  function cleanValue(key: string, value: unknown, following: readonly string[]): unknown {
    if (verbatim.has(key)) return value;
    if (!named.has(key) || !isObject(value)) return clean(value, following);
    return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, clean(each, following)]));
  }

  /** Merges the keywords next to a reference into what it refers to, since they constrain the same value. */
  function inPlace(schema: JsonObject, name: string, following: readonly string[]): unknown {
    const found = following.includes(name) ? undefined : at(root, name);
    if (found === undefined) throw new Unclean({ ok: false, reason: "reference", name });
    const target = clean(found, [...following, name]);
    const { $ref: _, $dynamicRef: __, ...beside } = schema;
    if (Object.keys(beside).length === 0 || !isObject(target)) return target;
    return { ...target, ...asObject(clean(beside, following)) };
  }

  try {
    return { ok: true, schema: asObject(clean(root, [])) ?? {} };
  } catch (error) {
    if (error instanceof Unclean) return error.result;
    throw error;
  }
}

class Unclean extends Error {
  readonly result: Extract<CleanedSchema, { ok: false }>;

  constructor(result: Extract<CleanedSchema, { ok: false }>) {
    super(result.reason);
    this.result = result;
  }
}

/** Resolves a JSON pointer (RFC 6901) in the fragment of a reference within this document. */
function at(root: JsonObject, name: string): unknown {
  if (name === "#") return root;
  if (!name.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of name.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
