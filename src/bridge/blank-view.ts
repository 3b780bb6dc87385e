// The view of a page without a conversation: before its host has answered, and if the host cannot. Does not use
// schemas, which are not loaded yet at that time.
import { defaultPreferences } from "./preferences.ts";
import type { ViewState } from "./view-state.ts";

export const blankView: ViewState = {
  model: "",
  models: [],
  notices: [],
  readOnly: false,
  countsTokens: false,
  proposesCode: false,
  checks: [],
  newErrors: [],
  preferences: defaultPreferences,
  codeColours: {},
  attachments: [],
  starters: [],
  attachKinds: [],
  commands: [],
  queue: [],
  commandFolders: [],
  webSearch: false,
  cacheTier: "default",
  effort: "",
  efforts: [],
  json: false,
  planFirst: false,
};
