// A page that is opened on a whole service: what the host tells it stands around the conversation, as it is now.
import assert from "node:assert/strict";
import { defaultPreferences, type Surroundings } from "../../src/bridge/surroundings.ts";
import { Emitter } from "../../src/core/util/emitter.ts";
import type { Service } from "../../src/service.ts";

/** What a service needs besides to have a page. */
export const pageSettings = { preferences: () => defaultPreferences };

export function openWholePage(service: Service): { surroundings(): Surroundings } {
  const fromPage = new Emitter<unknown>();
  let last: Surroundings | undefined;
  service.places.openPage({
    post(message) {
      if (message.type === "snapshot") last = message.surroundings;
    },
    onMessage: fromPage.on,
  });
  return {
    surroundings() {
      fromPage.fire({ type: "ready" });
      return last ?? assert.fail("The page was told nothing.");
    },
  };
}
