import type * as vscode from "vscode";

/** What an extension remembers, for as long as a test takes. */
export function createMemento(): vscode.Memento {
  const slots = new Map<string, unknown>();
  return {
    keys: () => [...slots.keys()],
    get: (name: string, otherwise?: unknown) => slots.get(name) ?? otherwise,
    update: async (name, value) => void slots.set(name, value),
  };
}
