// All tools of one moment: which there are, which are allowed, and how they are told to the model. The definitions
// of a conversation are made here once and then frozen; what may run is asked again at every call.
import { type Permission, permissions } from "../conversation/permission.ts";
import type { Tool } from "./tool.ts";

export interface ToolSettings {
  /** The user's choice by `name`, `namespace` or `namespace/name`. */
  readonly user: ReadonlyMap<string, Permission>;
  /** The workspace's: it can only be stricter. */
  readonly workspace: ReadonlyMap<string, Permission>;
}

/** Tools of others that a person lets run by themselves, by their identities: another tool may take over a name. */
export interface ApprovedTools {
  has(identity: string): boolean;
  add(identity: string): unknown;
}

export interface ToolTable {
  readonly tools: readonly Tool[];
  find(name: string, namespace: string | undefined): Tool | undefined;
  permission(tool: Tool): Permission;
  /** It would run by itself, had anybody agreed to what it is now. */
  isUnapproved(tool: Tool): boolean;
  approve(tool: Tool): void;
  /** Raw JSON of what is offered, always in the same order. */
  definitions(): readonly string[];
}

/** How a tool is named to people and in settings. */
export const fullName = ({ name, namespace }: Pick<Tool, "name" | "namespace">): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** `ofConversation`: what the user has chosen there for tools of others, by their whole names. */
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

/** The nearest word counts: of the tool, else of its namespace. */
const chosen = (from: ReadonlyMap<string, Permission>, tool: Tool): Permission | undefined =>
  from.get(fullName(tool)) ?? (tool.namespace === undefined ? undefined : from.get(tool.namespace));

const strictest = (...all: readonly Permission[]): Permission =>
  permissions.findLast((permission) => all.includes(permission)) ?? "off";

/**
 * Requirements B22: names that the service takes, and that stay apart when a namespace has to be written into them. A tool
 * of others whose definition cannot be written is none.
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
  const own = sorted.filter(({ namespace }) => namespace === undefined).map(({ definition }) => definition);
  const namespaces = new Set(sorted.flatMap(({ namespace }) => namespace ?? []));
  const others = [...namespaces].map((name) => {
    const inner = sorted.filter(({ namespace }) => namespace === name).map(({ definition }) => definition);
    const description = JSON.stringify(`Tools of ${name}.`);
    return `{"type":"namespace","name":${JSON.stringify(name)},"description":${description},"tools":[${inner.join(",")}]}`;
  });
  return [...own, ...others];
}
