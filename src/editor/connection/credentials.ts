// What identifies the user to the service: the API key, and the random id of this installation.
import * as vscode from "vscode";
import { Emitter } from "../../util/emitter.ts";
import { showInformation } from "../notify.ts";

const keySlot = (origin: string) => `key:${origin}`;

/** VS Code can list its secrets since 1.105. */
interface NamedSecrets {
  keys(): Thenable<readonly string[]>;
}

export interface Keys {
  get(origin: string): Promise<string | undefined>;
  /** Rejects if the system's store does. */
  set(origin: string, key: string): Promise<void>;
  /** Keeps the key in memory until the window closes, for systems whose store does not work (requirements A13). */
  hold(origin: string, key: string): void;
  remove(origin: string): Promise<void>;
  /** Removes the keys of every origin if this version of VS Code can list them; at least the one of this origin. */
  removeAll(origin: string | undefined): Promise<void>;
  readonly onDidChange: vscode.Event<unknown>;
}

/**
 * Stores the API key in SecretStorage, bound to the origin it was entered for, and reads it per request. No command
 * returns it, no message contains it, and it is never sent to another origin (requirements A5). `developmentKey` is
 * used by `npm start`; only a development host passes one (main/extension.ts).
 */
export function createKeys(secrets: vscode.SecretStorage, developmentKey: string | undefined): Keys {
  const held = new Map<string, string>();
  const changed = new Emitter<void>();
  return {
    async get(origin) {
      return held.get(origin) ?? (await secrets.get(keySlot(origin))) ?? developmentKey;
    },
    async set(origin, key) {
      await secrets.store(keySlot(origin), key);
      // Whoever has looked meanwhile was given the key that was held.
      if (held.delete(origin)) changed.fire();
    },
    hold(origin, key) {
      held.set(origin, key);
      changed.fire();
    },
    async remove(origin) {
      if (held.delete(origin)) changed.fire();
      await secrets.delete(keySlot(origin));
    },
    async removeAll(origin) {
      const isHeld = held.size > 0;
      held.clear();
      if (isHeld) changed.fire();
      const known = "keys" in secrets ? await (secrets as NamedSecrets).keys() : [];
      const slots = known.filter((name) => name.startsWith(keySlot("")));
      for (const name of new Set([...slots, ...(origin === undefined ? [] : [keySlot(origin)])]))
        await secrets.delete(name);
    },
    onDidChange(listener) {
      const both = [secrets.onDidChange(listener), changed.on(() => listener(undefined))];
      return { dispose: () => both.forEach((each) => void each.dispose()) };
    },
  };
}

const idSlot = "anonymousId";

export interface AnonymousId {
  get(): string;
  reset(): Promise<void>;
  /** A new one is created on demand. */
  forget(): Promise<void>;
}

/**
 * The random id from which the identifier for the service is derived (requirements B16). It is created here, never
 * synchronized to other machines, and can be reset by the user.
 */
export function createAnonymousId(state: vscode.Memento): AnonymousId {
  let id = state.get<string>(idSlot);
  const renew = async (): Promise<void> => {
    id = crypto.randomUUID();
    await state.update(idSlot, id);
  };
  return {
    get() {
      if (id === undefined) void renew();
      return id ?? "";
    },
    async forget() {
      id = undefined;
      await state.update(idSlot, undefined);
    },
    async reset() {
      await renew();
      void showInformation(vscode.l10n.t("The anonymous ID was reset."));
    },
  };
}
