// What a tool is given when a test calls it alone: files, and nobody to ask.

import type { GuardedFiles } from "../../src/files/guarded-files.ts";
import { noWorkspace } from "../../src/files/workspace.ts";
import type { CallContext } from "../../src/tools/tool.ts";
import { ripgrep } from "./ripgrep.ts";

const workspace = { ...noWorkspace, ripgrep: async () => ripgrep };

export const callContext = (files: GuardedFiles): CallContext => ({
  files,
  workspace,
  proposed: 0,
  overlay: async () => ({ files, workspace, proposed: 0 }),
  changes: { propose: async () => "kept", statusesOf: () => new Map() },
  protection: () => undefined,
  turn: "turn",
  call: "call",
  offers: () => false,
  show: async () => {},
  showPlan: async () => ({ output: "" }),
  ask: async () => undefined,
  stop: new AbortController().signal,
  live: async () => {},
  beside: () => ({ call: "call-files", show: async () => {} }),
});
