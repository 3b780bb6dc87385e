import type { BodySettings } from "../../../../src/core/api/body.ts";

/** As they are where nobody has set anything. */
export const plainSettings: BodySettings = {
  stream: "auto",
  patchTransport: "auto",
  cacheKeyField: "prompt_cache_key",
  userIdField: "safety_identifier",
  userId: undefined,
  extraReasoning: undefined,
  extraText: undefined,
  responsesModels: [],
};
