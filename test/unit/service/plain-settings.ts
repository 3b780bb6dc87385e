import type { BodySettings } from "../../../src/service/settings.ts";

/** As they are where nobody has set anything. */
export const plainSettings: BodySettings = {
  stream: "auto",
  namespaces: undefined,
  patchTool: "auto",
  streamUsage: undefined,
  cacheKeyField: "prompt_cache_key",
  userIdField: "safety_identifier",
  userId: undefined,
  extraBody: {},
  responsesModels: [],
};
