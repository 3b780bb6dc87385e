// A service with a certificate of a private authority, and one turn that asks it: what the tests of the way there begin with.
import type { ClientSettings } from "../../../src/service/settings.ts";
import { certificate } from "../../support/tls-service.ts";
import { watch } from "../../support/watched-client.ts";

export const trusting: ClientSettings = { certificates: { extra: [certificate("authority")] } };
export const url = "https://service.test";
export const login = `Basic ${Buffer.from("me:word").toString("base64")}`;

/** One turn of a client with these settings; its reply holds no key. */
export async function turn(
  settings: ClientSettings,
  environment: Record<string, string> = {},
  baseUrl = url,
) {
  using watched = watch(baseUrl, settings, { environment });
  const { reply } = await watched.turn();
  watched.assertNoCanary();
  return reply;
}
