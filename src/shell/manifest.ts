// The names that package.json and code must agree on. test/unit/manifest.test.ts compares the two.

export const commands = {
  setBaseUrl: "patchbay.baseUrl.set",
  setKey: "patchbay.key.set",
  removeKey: "patchbay.key.remove",
  manageConnection: "patchbay.key.manage",
  newConversation: "patchbay.chat.new",
  stop: "patchbay.chat.stop",
  pickModel: "patchbay.model.pick",
  showLog: "patchbay.log.show",
} as const;

export type Command = (typeof commands)[keyof typeof commands];

/** The same view twice: the secondary side bar exists from VS Code 1.106, the activity bar before. */
export const views = { chat: "patchbay.chat", chatBefore1106: "patchbay.chatActivityBar" } as const;

/** VS Code makes a command of this name for every view; a command of ours with the same name would take its place. */
export const focusOf = (view: string): string => `${view}.focus`;

export const contextKeys = {
  secondarySideBar: "patchbay.secondarySideBar",
  configured: "patchbay.configured",
  hasKey: "patchbay.hasKey",
  canStop: "patchbay.canStop",
} as const;
