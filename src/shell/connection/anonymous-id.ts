// The random number behind the identifier that the service recommends to send (requirements B16). It is made here,
// never synchronized to other machines, and a person can have a new one.
import * as vscode from "vscode";
import { showInformation } from "../notify.ts";

const slot = "anonymousId";

export interface AnonymousId {
  get(): string;
  reset(): Promise<void>;
  /** A new one is made when one is needed. */
  forget(): Promise<void>;
}

export function createAnonymousId(state: vscode.Memento): AnonymousId {
  let id = state.get<string>(slot);
  const renew = async (): Promise<void> => {
    id = crypto.randomUUID();
    await state.update(slot, id);
  };
  return {
    get() {
      if (id === undefined) void renew();
      return id ?? "";
    },
    async forget() {
      id = undefined;
      await state.update(slot, undefined);
    },
    async reset() {
      await renew();
      void showInformation(vscode.l10n.t("The anonymous ID was reset."));
    },
  };
}
