// The tools of others as a person chooses among them: what each is, and what it may do in a conversation. Pure.

import type { Permission } from "../conversation/permission.ts";
import { type HostTool, hostTool } from "./host-tool.ts";
import { type ApprovedTools, createToolTable, fullName, type ToolSettings } from "./tool-table.ts";

export interface OtherTool {
  /** The whole name, as in the settings. */
  readonly name: string;
  readonly namespace: string;
  readonly description: string;
  /** What a permission to run by itself is bound to. */
  readonly identity: string;
  readonly permission: Permission;
  /** The settings say off, and nothing that is chosen here changes that. */
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
