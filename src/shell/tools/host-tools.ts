// Tools that VS Code knows besides ours: those of other extensions, of MCP servers, of VS Code itself. Brought as they
// are now, each under the name of its owner; whether one is offered or run is decided in the core.
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { visible } from "../../core/conversation/hidden-characters.ts";
import { cleanSchema } from "../../core/tools/clean-schema.ts";
import type { HostAnswer, HostTool } from "../../core/tools/host-tool.ts";
import { isObject } from "../../core/util/json.ts";
import type { Log } from "../../core/util/log.ts";
import { ownTool } from "../manifest.ts";
import { answerOf } from "./tool-result.ts";

/** Whatever a tool says of itself costs tokens with each request. */
const maxDescription = 4000;
const maxSchema = 32_000;
/** Both together, with what stands between them, have room for 64 characters on the wire (requirements B22). */
const longestNamespace = 24;
const longestName = 38;

/** Why a tool is not offered is logged once. */
export function createHostTools(log: Pick<Log, "warn">): () => readonly HostTool[] {
  const reported = new Set<string>();
  const refuse = (name: string, why: string) => {
    if (reported.has(name)) return;
    reported.add(name);
    log.warn(`The tool ${name} isn't offered: ${why}`);
  };
  return () => {
    if (!vscode.workspace.isTrusted) return [];
    const owners = contributors();
    // Forks of VS Code have come without it.
    const known: readonly vscode.LanguageModelToolInformation[] = vscode.lm?.tools ?? [];
    return known
      .filter(({ name }) => name !== ownTool)
      .flatMap((tool) => hostToolOf(tool, owners, refuse) ?? []);
  };
}

/** `undefined` where it cannot be told to a model. */
function hostToolOf(
  { name, description, inputSchema }: vscode.LanguageModelToolInformation,
  owners: ReadonlyMap<string, string>,
  refuse: (name: string, why: string) => void,
): HostTool | undefined {
  const parameters = plainSchema(inputSchema);
  if (typeof parameters === "string") {
    refuse(name, parameters);
    return undefined;
  }
  const isMcp = name.startsWith("mcp_");
  const owner = owners.get(name) ?? (isMcp ? "mcp" : "vscode");
  return {
    namespace: shortened(owner, longestNamespace),
    name: shortened(isMcp ? name.slice("mcp_".length) : name, longestName),
    description: visible(description).slice(0, maxDescription),
    parameters,
    // Nothing that a tool says of itself tells whether it only looks.
    readOnly: false,
    call: (input, signal) => invoke(name, input, signal),
  };
}

async function invoke(name: string, input: object, signal: AbortSignal): Promise<HostAnswer> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    // Without a token: this is no request of VS Code's own chat, and nothing is to appear there.
    const options = { input, toolInvocationToken: undefined };
    return answerOf(await vscode.lm.invokeTool(name, options, cancellation.token));
  } finally {
    signal.removeEventListener("abort", cancel);
    cancellation.dispose();
  }
}

/** Which extension has brought which tool: two of the same name are told apart by their owners. */
function contributors(): ReadonlyMap<string, string> {
  const found = vscode.extensions.all.flatMap(({ id, packageJSON }) => {
    const tools: unknown = packageJSON?.contributes?.languageModelTools;
    if (!Array.isArray(tools)) return [];
    return tools.flatMap((tool: unknown) => {
      const name = isObject(tool) ? tool["name"] : undefined;
      return typeof name === "string" ? [[name, id] as const] : [];
    });
  });
  return new Map(found);
}

/** What comes from a server can be anything; what is no small piece of JSON, whole in itself, is not offered. */
function plainSchema(schema: object | undefined): object | string {
  const tooLarge = `its schema has more than ${maxSchema} characters.`;
  try {
    const text = JSON.stringify(schema ?? {});
    const plain: unknown = text.length > maxSchema ? undefined : JSON.parse(text);
    if (plain === undefined) return tooLarge;
    if (!isObject(plain)) return "its schema is not an object.";
    const cleaned = cleanSchema(plain);
    if (cleaned.ok) return JSON.stringify(cleaned.schema).length > maxSchema ? tooLarge : cleaned.schema;
    return cleaned.reason === "size"
      ? tooLarge
      : `its schema refers to ${cleaned.name}, which can't be put in place.`;
  } catch {
    return "its schema is not JSON.";
  }
}

/** A name that does not fit ends in something that keeps it apart from its neighbours. */
function shortened(name: string, most: number): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, "_");
  if (plain.length <= most) return plain;
  const rest = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${plain.slice(0, most - rest.length - 1)}_${rest}`;
}
