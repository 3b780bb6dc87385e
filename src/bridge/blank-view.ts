// What stands in a page while no conversation is behind it: before its host has answered, and where that cannot. Without
// schemas, which are not loaded yet then.
import type { Preferences, ViewState } from "./view-state.ts";

export const defaultPreferences: Preferences = {
  sendKey: "enter",
  scroll: "follow",
  reasoning: "preview",
  textDirection: "auto",
  renderMath: true,
  attachActiveEditor: false,
};

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
  attachKinds: [],
  commands: [],
  queue: [],
  webSearch: false,
  cacheTier: "default",
  effort: "",
  efforts: [],
  json: false,
};
