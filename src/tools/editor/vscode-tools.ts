// Tools known to VS Code other than ours: of other extensions, of MCP servers, of VS Code itself. Returned as they
// currently are, each under the name of its owner; the tool table decides whether one is offered or run.

import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { ownTool } from "../../editor/manifest.ts";
import { visible } from "../../util/hidden-characters.ts";
import { isObject } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import { forLog } from "../../util/sentences.ts";
import { cleanSchema, type HostAnswer, type HostTool } from "../tool-table.ts";
import { answerOf } from "./tool-result.ts";

/** Descriptions of tools cost tokens in each request. */
const maxDescription = 4000;
const maxSchema = 32_000;
/** Namespace, separator and name share 64 characters on the wire (requirements B22). */
const longestNamespace = 24;
const longestName = 38;

/** The reason why a tool is not offered is logged once. */
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
    // Missing in some forks of VS Code.
    const known: readonly vscode.LanguageModelToolInformation[] = vscode.lm?.tools ?? [];
    return known
      .filter(({ name }) => name !== ownTool)
      .flatMap((tool) => hostToolOf(tool, owners, refuse) ?? []);
  };
}

/** `undefined` if it cannot be described to a model. */
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
    // A tool's description of itself does not prove that it only reads.
    readOnly: false,
    call: (input, signal) => invoke(name, input, signal),
  };
}

async function invoke(name: string, input: object, signal: AbortSignal): Promise<HostAnswer> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    // Without a token, because this is not a request of VS Code's own chat and nothing should appear there.
    const options = { input, toolInvocationToken: undefined };
    return answerOf(await vscode.lm.invokeTool(name, options, cancellation.token));
  } finally {
    signal.removeEventListener("abort", cancel);
    cancellation.dispose();
  }
}

/** The extension that contributes each tool; tools of the same name are distinguished by their owners. */
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

/** Schemas from a server can be anything: only small, self-contained JSON is accepted. */
function plainSchema(schema: object | undefined): object | string {
  const tooLarge = forLog(`its schema has more than ${maxSchema} characters.`);
  try {
    const text = JSON.stringify(schema ?? {});
    const plain: unknown = text.length > maxSchema ? undefined : JSON.parse(text);
    if (plain === undefined) return tooLarge;
    if (!isObject(plain)) return forLog("its schema is not an object.");
    const cleaned = cleanSchema(plain);
    if (cleaned.ok) return JSON.stringify(cleaned.schema).length > maxSchema ? tooLarge : cleaned.schema;
    return cleaned.reason === "size"
      ? tooLarge
      : forLog(`its schema refers to ${cleaned.name}, which can't be put in place.`);
  } catch {
    return forLog("its schema is not JSON.");
  }
}

/** A name that is too long ends in a hash that keeps it unique. */
function shortened(name: string, most: number): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, "_");
  if (plain.length <= most) return plain;
  const rest = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${plain.slice(0, most - rest.length - 1)}_${rest}`;
}
