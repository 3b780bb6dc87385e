// The API key: in SecretStorage, bound to the origin it was entered for, read per request. No command returns it,
// no message carries it, and another origin never receives it (requirements A5).
import type * as vscode from "vscode";
import { Emitter } from "../../core/util/emitter.ts";

const slot = (origin: string) => `key:${origin}`;

/** VS Code names its secrets from 1.105 on. */
interface NamedSecrets {
  keys(): Thenable<readonly string[]>;
}

export interface Keys {
  get(origin: string): Promise<string | undefined>;
  /** Rejects where the system's store does. */
  set(origin: string, key: string): Promise<void>;
  /** In memory, until the window closes: for a system whose store does not work (requirements A13). */
  hold(origin: string, key: string): void;
  remove(origin: string): Promise<void>;
  /** Those of every origin, as far as this VS Code can name them; at least the one of this origin. */
  removeAll(origin: string | undefined): Promise<void>;
  readonly onDidChange: vscode.Event<unknown>;
}

/** `developmentKey` lets `npm start` begin with a key; only a development host passes one (extension.ts). */
export function createKeys(secrets: vscode.SecretStorage, developmentKey: string | undefined): Keys {
  const held = new Map<string, string>();
  const changed = new Emitter<void>();
  return {
    async get(origin) {
      return held.get(origin) ?? (await secrets.get(slot(origin))) ?? developmentKey;
    },
    async set(origin, key) {
      await secrets.store(slot(origin), key);
      held.delete(origin);
    },
    hold(origin, key) {
      held.set(origin, key);
      changed.fire();
    },
    async remove(origin) {
      if (held.delete(origin)) changed.fire();
      await secrets.delete(slot(origin));
    },
    async removeAll(origin) {
      held.clear();
      const known = "keys" in secrets ? await (secrets as NamedSecrets).keys() : [];
      const slots = known.filter((name) => name.startsWith(slot("")));
      for (const name of new Set([...slots, ...(origin === undefined ? [] : [slot(origin)])]))
        await secrets.delete(name);
    },
    onDidChange(listener) {
      const both = [secrets.onDidChange(listener), changed.on(() => listener(undefined))];
      return { dispose: () => both.forEach((each) => void each.dispose()) };
    },
  };
}
