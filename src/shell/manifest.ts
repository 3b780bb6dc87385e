// The names that package.json and code must agree on. test/unit/manifest.test.ts compares the two.

export const commands = {
  setBaseUrl: "patchbay.baseUrl.set",
  setKey: "patchbay.key.set",
  removeKey: "patchbay.key.remove",
  manageConnection: "patchbay.key.manage",
  testKey: "patchbay.key.test",
  checkConnection: "patchbay.doctor.run",
  forgetFound: "patchbay.doctor.forget",
  newConversation: "patchbay.chat.new",
  openConversation: "patchbay.chat.open",
  openInEditor: "patchbay.chat.openInEditor",
  openInNewWindow: "patchbay.chat.openInNewWindow",
  renameConversation: "patchbay.chat.rename",
  archiveConversation: "patchbay.chat.archive",
  unarchiveConversation: "patchbay.chat.unarchive",
  deleteConversation: "patchbay.chat.delete",
  searchConversations: "patchbay.chat.search",
  exportConversation: "patchbay.chat.export",
  exportBundle: "patchbay.chat.exportBundle",
  importBundle: "patchbay.chat.import",
  find: "patchbay.chat.find",
  nextTurn: "patchbay.chat.nextTurn",
  previousTurn: "patchbay.chat.previousTurn",
  focusLast: "patchbay.chat.focusLastMessage",
  editLast: "patchbay.chat.editLast",
  copyLast: "patchbay.chat.copyMessage",
  copyAll: "patchbay.chat.copyAll",
  regenerate: "patchbay.chat.regenerate",
  goOn: "patchbay.chat.continue",
  branch: "patchbay.chat.branchHere",
  pickCacheTier: "patchbay.cache.tier",
  setOutputLimit: "patchbay.output.limit",
  toggleWebSearch: "patchbay.web.toggle",
  attachSelection: "patchbay.attach.selection",
  attachFile: "patchbay.attach.file",
  attachFolder: "patchbay.attach.folder",
  attachOpenEditors: "patchbay.attach.openEditors",
  attachSymbol: "patchbay.attach.symbol",
  attachProblems: "patchbay.attach.problems",
  attachTerminal: "patchbay.attach.terminal",
  attachDiff: "patchbay.attach.gitDiff",
  attachImage: "patchbay.attach.image",
  stop: "patchbay.chat.stop",
  pickModel: "patchbay.model.pick",
  showLog: "patchbay.log.show",
  resetUserId: "patchbay.privacy.resetUserId",
  openReview: "patchbay.review.open",
  openChange: "patchbay.review.openChange",
  acceptHunk: "patchbay.review.acceptHunk",
  rejectHunk: "patchbay.review.rejectHunk",
  acceptFile: "patchbay.review.acceptFile",
  rejectFile: "patchbay.review.rejectFile",
  acceptAll: "patchbay.review.acceptAll",
  rejectAll: "patchbay.review.rejectAll",
  rejectWithReason: "patchbay.review.rejectWithReason",
  nextHunk: "patchbay.review.next",
  previousHunk: "patchbay.review.previous",
  undoTurn: "patchbay.review.undoTurn",
  restore: "patchbay.review.restore",
  exportPatch: "patchbay.review.exportPatch",
  explain: "patchbay.do.explain",
  fix: "patchbay.do.fix",
  refactor: "patchbay.do.refactor",
  writeTests: "patchbay.do.tests",
  document: "patchbay.do.docs",
  reviewCode: "patchbay.do.review",
  askAbout: "patchbay.do.prompt",
  editSelection: "patchbay.do.edit",
} as const;

export type Command = (typeof commands)[keyof typeof commands];

/** The same view twice: the secondary side bar exists from VS Code 1.106, the activity bar before. */
export const views = {
  chat: "patchbay.chat",
  chatBefore1106: "patchbay.chatActivityBar",
  conversations: "patchbay.conversations",
  review: "patchbay.review",
} as const;

export const panelType = "patchbay.chatPanel";

/** VS Code makes a command of this name for every view; a command of ours with the same name would take its place. */
export const focusOf = (view: string): string => `${view}.focus`;

export const contextKeys = {
  secondarySideBar: "patchbay.secondarySideBar",
  configured: "patchbay.configured",
  hasKey: "patchbay.hasKey",
  canStop: "patchbay.canStop",
  canRegenerate: "patchbay.canRegenerate",
  lastIncomplete: "patchbay.lastIncomplete",
  hasTurns: "patchbay.hasTurns",
  responses: "patchbay.responses",
  chatFocused: "patchbay.chatFocused",
  composerFocused: "patchbay.composerFocused",
  turnFocused: "patchbay.turnFocused",
  hasPendingPatch: "patchbay.hasPendingPatch",
  hunkAtCursor: "patchbay.hunkAtCursor",
  turnHasEdits: "patchbay.turnHasEdits",
} as const;

/** Read from the user's own settings alone (requirements A6): their scope is "application". */
export const userSettings = [
  "baseUrl",
  "service.connectSeconds",
  "service.firstByteSeconds",
  "service.idleSeconds",
  "service.cacheKeyField",
  "service.userIdField",
  "service.extraReasoning",
  "service.extraText",
  "reasoning.effort",
  "receipts.nonceHeader",
  "webSearch.default",
  "estimate.mode",
  "agent.maxSteps",
  "agent.tools",
  "patch.apply",
  "patch.protected",
  "context.ignore",
  "instructions.user",
  "prompts",
  "chat.sendKey",
  "chat.scroll",
  "chat.reasoning",
  "chat.textDirection",
  "chat.renderMath",
] as const;

/** A workspace may set these: they choose among what the user allows, or only make it stricter. */
export const workspaceSettings = [
  "model.default",
  "cache.ttl",
  "output.maxTokens",
  "agent.disabledTools",
  "context.alsoIgnore",
  "context.maxFileKiB",
  "instructions.workspaceFile",
  "patch.alsoProtected",
  "patch.saveAfterApply",
  "codeActions.enabled",
  "editorMenu.enabled",
] as const;

export type UserSetting = (typeof userSettings)[number];
export type WorkspaceSetting = (typeof workspaceSettings)[number];
