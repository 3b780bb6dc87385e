// Finds out by a trial run whether checks can be sandboxed here: once per window, and again after a failure.
// Independent of the editor.
import { mkdir } from "node:fs/promises";
import { type Message, message } from "../../conversation/messages.ts";
import type { Log } from "../../util/log.ts";
import type { Confinement } from "../check.ts";
import { findSandbox, type NoSandboxReason, type Sandbox, type SandboxState } from "./sandbox/sandbox.ts";

const reasons: Readonly<Record<NoSandboxReason, Message>> = {
  platform: message("sandboxPlatform"),
  missing: message("sandboxMissing"),
  outdated: message("sandboxOutdated"),
  apparmor: message("sandboxApparmor"),
  namespaces: message("sandboxNamespaces"),
  refused: message("sandboxRefused"),
  leaks: message("sandboxLeaks"),
};

interface ConfinementDeps {
  /** The extension's own storage folder; programs see nothing of it. */
  readonly storage: string;
  readonly log: Log;
  workspaceFolders(): readonly string[];
}

export function createConfinement({ storage, log, workspaceFolders }: ConfinementDeps) {
  let known: { readonly folders: string; readonly state: Promise<SandboxState> } | undefined;

  function find(): Promise<SandboxState> {
    const folders = workspaceFolders();
    const key = JSON.stringify(folders);
    if (known?.folders !== key) known = { folders: key, state: search(folders) };
    return known.state;
  }

  async function search(folders: readonly string[]): Promise<SandboxState> {
    try {
      await mkdir(storage, { recursive: true, mode: 0o700 });
      const state = await findSandbox({ storage, workspaceFolders: folders });
      if (state.kind === "none") log.info(`There is no sandbox for checks: ${state.why}. ${state.detail}`);
      return state;
    } catch (error) {
      log.error("It could not be found out whether there is a sandbox.", error);
      return { kind: "none", why: "refused", detail: "" };
    }
  }

  return {
    async state(): Promise<Confinement> {
      const state = await find();
      if (state.kind === "works") return { kind: "sandbox" };
      const { why, remedy } = state;
      return { kind: "none", why: reasons[why], ...(remedy !== undefined && { remedy }) };
    },
    async sandbox(): Promise<Sandbox | undefined> {
      const state = await find();
      if (state.kind === "none") return undefined;
      const { sandbox } = state;
      return {
        overlays: sandbox.overlays,
        async run(run, signal) {
          const result = await sandbox.run(run, signal);
          if (result.end === "broken") known = undefined;
          return result;
        },
      };
    },
  };
}
