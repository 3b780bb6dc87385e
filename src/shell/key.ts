// The API key: in SecretStorage, bound to the origin it was entered for, read per request. No command returns it,
// no message carries it, and another origin never receives it (requirements A5).
import type * as vscode from "vscode";

const slot = (origin: string) => `key:${origin}`;

export interface Keys {
  get(origin: string): Promise<string | undefined>;
  set(origin: string, key: string): Promise<void>;
  remove(origin: string): Promise<void>;
  readonly onDidChange: vscode.Event<unknown>;
}

/** `developmentKey` lets `npm start` begin with a key; only a development host passes one (extension.ts). */
export function createKeys(secrets: vscode.SecretStorage, developmentKey: string | undefined): Keys {
  return {
    async get(origin) {
      return (await secrets.get(slot(origin))) ?? developmentKey;
    },
    async set(origin, key) {
      await secrets.store(slot(origin), key);
    },
    async remove(origin) {
      await secrets.delete(slot(origin));
    },
    onDidChange: secrets.onDidChange,
  };
}
