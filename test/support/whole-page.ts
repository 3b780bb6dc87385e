// A page that is opened on a whole service: what the host tells it stands around the conversation, as it is now.
import assert from "node:assert/strict";
import { defaultPreferences } from "../../src/bridge/preferences.ts";
import type { ViewState } from "../../src/bridge/view-state.ts";
import type { Service } from "../../src/host/services.ts";
import { Emitter } from "../../src/util/emitter.ts";

/** What a service needs besides to have a page. */
export const pageSettings = { preferences: () => defaultPreferences };

export function openWholePage(service: Service): { viewState(): ViewState; say(message: unknown): void } {
  const fromPage = new Emitter<unknown>();
  let last: ViewState | undefined;
  service.surfaces.openPage({
    post(message) {
      if (message.type === "snapshot") last = message.viewState;
    },
    onMessage: fromPage.on,
  });
  return {
    say: (message) => fromPage.fire(message),
    viewState() {
      fromPage.fire({ type: "ready" });
      return last ?? assert.fail("The page was told nothing.");
    },
  };
}
