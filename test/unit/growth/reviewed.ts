// What the tests of growth know by name. A file of `src` that walks through text belongs into one of two lists: into
// `parsers.ts`, with texts made to slow it down, or here, with the reason why no foreign text of any length reaches it.

const escapeSign = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);

/** Patterns that are made when the program runs: some that are, or why nobody else decides about them. */
export const madePatterns: Readonly<Record<string, readonly RegExp[] | string>> = {
  "src/core/api/hide-key.ts": "the forms of our own key, as they are; measured in parsers.ts",
  "src/core/api/adapt-request.ts": [/["'`“]a["'`”]/, /["'`“‘]a["'`”’]|(?<![\w.-])a(?![\w-])/i],
  "src/core/checks/read-check-output.ts": "lines of 2,000 characters at most; measured in parsers.ts",
  "src/core/conversation/hidden-characters.ts": "the same pattern stands beside it as a literal",
  "src/core/patch/reasons-to-ask.ts": "names of paths, which are 1,024 characters long at most",
  "src/core/risk/hidden.ts":
    "classes of single letters without alternatives that overlap; measured in parsers.ts",
  "src/core/risk/swallowed.ts": "each repetition is capped; measured in parsers.ts",
  "src/core/store/search-conversation.ts": [/a\s+b\s+c/iu],
  "src/core/tools/line-matcher.ts":
    "what the model writes runs in a thread of its own, which is ended when it takes long",
  "src/core/tools/search-thread.ts":
    "what the model writes runs in this thread of its own, which is ended when it takes long",
  "src/core/files/secret-shapes.ts": "its shapes are measured as a parser, through secrets.ts",
  "src/core/tools/read-attachment.ts": [
    new RegExp(
      `${escapeSign}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escapeSign}]*(?:${bell}|${escapeSign}\\\\)?|[@-Z\\\\-_])`,
      "g",
    ),
  ],

  "src/shell/review/references.ts": [/(?<![\w$])a(?![\w$])/],
  "src/webview/find-text.ts": [/a\.b/giu],
  "src/webview/markdown/addresses.ts": [/(https?:\/\/|(?<![\p{L}\p{N}./_-]))example\.com([/?#]\S*)?/giu],
  "src/webview/markdown/file-references.ts":
    "the page: its Markdown is measured by test/unit/webview/markdown",
};

/** Patterns that are only asked for texts of so many characters at most. */
export const cappedPatterns: Readonly<Record<string, number>> = {
  [`src/core/patch/placeholders.ts: ${String(/^(?:\/\/(?![/!])|\/\*(?!\*)|\{\/\*|<!--|<%--|#(?!!)|--|;{1,3}|%{1,2}|\(\*|\{-|@\*|rem\b|!)[ \t]*(.*?)[ \t]*(?:\*\/\}?|-->|--%>|\*\)|-\}|\*@)?$/iu)}`]: 160,
};

/** Files that spread a list over the arguments of a call: why it is short. */
export const shortSpreads: Readonly<Record<string, string>> = {
  "src/core/conversation/reduce-all.ts":
    "the turns of one conversation since the last that began: one at most",
  "src/core/store/conversation-index.ts": "two dates",
  "src/core/files/ignore-rules.ts": "the alternatives of one line, which are capped before",
  "src/core/tools/list-files.ts": "a few sentences",
  "src/core/tools/search-text.ts": "a few sentences",
  "src/core/files/secrets.ts": "what one finder found at one place",
  "src/core/session/workspace-prompts.ts": "prompts of one folder, which are capped",
  "src/shell/inspect/inspect-text.ts": "headers of one exchange, which Node limits to 16 KiB",
  "src/shell/workspace-settings.ts": "values of one setting: one for each place that may set it",
  "src/shell/workspace/apply.ts": "the changes that are taken at once: a fixed number",
  "src/webview/markdown/highlight-script.ts": "the page, and one scope of a line",
  "src/webview/markdown/inline.ts": "the page, and one line of words",
  "src/webview/usage-text.ts": "numbers of one row",
};

/** Files, or folders of them, that walk through text and are not in `parsers.ts`: why that is no matter. */
export const explained: Readonly<Record<string, string>> = {
  "src/core/patch/anchor-scope.ts": "planned in slices; its growth is measured with the engine's own tests",
  "src/core/patch/anchors.ts": "planned in slices; its growth is measured with the engine's own tests",
  "src/core/patch/ordered-changes.ts": "planned in slices, over paths of 1,024 characters at most",
  "src/core/patch/explain.ts": "the first letter of a sentence of ours",
  "src/core/patch/git-headers.ts": "lines that are capped before",
  "src/core/patch/line-equality.ts": "one line, whose length is capped where it is brought into another form",
  "src/core/patch/quote-foreign.ts": "cut before it is walked through",
  "src/core/patch/envelope.ts": "a patch that was capped; JSON.parse is linear",
  "src/core/patch/tell-apart.ts": "two lines once, up to where they differ",
  "src/core/store/journal-events.ts": "our own journal; JSON.parse is linear",
  "src/core/store/capability-files.ts": "our own file",
  "src/core/store/conversation-index.ts": "our own file",
  "src/core/store/lock.ts": "our own file",
  "src/core/store/draft.ts": "our own file",
  "src/core/store/known-hashes.ts": "our own file",
  "src/core/store/sealed-json.ts": "our own lines, each sealed; JSON.parse is linear",
  "src/core/store/scan.ts":
    "every byte once, in pieces as they are read; a line is checked as measured in record-line.ts",
  "src/core/checks/":
    "a person's own settings, and files at the top of a folder that are capped where they are read",
  "src/shell/checks/": "lists of files, each name once, in a thread of their own",
  "src/core/ledger/": "our own files",
  "src/core/changes/kept-changes.ts": "our own file",
  "src/core/diff/diff-lines.ts": "measured in parsers.ts through its one entrance, line-edits.ts",
  "src/core/risk/hunk.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/core/risk/public-names.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/core/changes/pending-file.ts": "the ends of lines of one file, each once",
  "src/core/session/conversation-store.ts": "our own journal",
  "src/core/conversation/repair-conversation.ts": "our own journal",
  "src/core/tokens/token-counts.ts": "one number of a small reply",
  "src/core/suggestions/path-table.ts": "paths, in slices, once for each letter that is typed",
  "src/core/suggestions/fuzzy-match.ts": "64 letters at most, in the 150 best paths",
  "src/core/turn/unseen-items.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/turn/history.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/session/language-model-chat.ts":
    "one item of a reply, which has been read before; JSON.parse is linear",
  "src/core/turn/instructions.ts": "items of ours; JSON.parse is linear",
  "src/core/turn/transcript.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/turn/plain-history.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/turn/hand-over.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/turn/chat-turn.ts": "an output of ours; JSON.parse is linear",
  "src/core/turn/pending-calls.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/core/api/text-part.ts": "only the last character of a delta",
  "src/core/api/reply-weight.ts": "counts each byte of a record once, as it arrives",
  "src/core/api/call.ts": "capped at the bytes of its caller",
  "src/core/api/body.ts": "our own definitions of tools; JSON.parse is linear",
  "src/core/api/request-shapes.ts": "our own definitions of tools",
  "src/core/api/delete-file.ts": "ids that a person typed",
  "src/core/api/estimate.ts": "our own request; a reply of 1 MiB at most; JSON.parse is linear",
  "src/core/api/reply-reader.ts": "records that were weighed before; JSON.parse is linear",
  "src/core/api/chat-reply.ts": "records that were weighed before; JSON.parse is linear",
  "src/core/tools/tool.ts": "arguments of a call; JSON.parse is linear",
  "src/core/files/privacy.ts": "rules of 64 KiB at most; measured by core/tools/limits.slow.test.ts",
  "src/core/files/name-pattern.ts":
    "measured by core/tools/limits.slow.test.ts, against the costliest rules there are",
  "src/core/tools/search-thread.ts": "a thread of its own, which is ended when it takes long",
  "src/core/files/secret-finders.ts": "measured in parsers.ts through its one entrance, secrets.ts",
  "src/core/files/secrets.ts": "its patterns are attacked like all others",
  "src/core/util/json.ts": "JSON.parse is linear",
  "src/core/inspect/": "a body that a person edits; JSON.parse is linear",
  "src/core/tokens/": "measured in parsers.ts through its one entrance, features.ts",
  "src/bridge/html.ts": "our own page",
  "src/shell/review/proposed-files.ts": "a text of ours, decoded",
  "src/shell/start/start-commands.ts": "our own walk-through",
  "src/shell/workspace/workspace-edit.ts": "each edit once, from both ends",
  "src/shell/workspace/live-text.ts": "a document that the editor holds; each line's end once",
  "src/shell/uploaded-files/text-with-ids.ts": "a file that is capped where it is read",
  "src/shell/chat/open-link.ts": "a link, whose length is capped first",
  "src/shell/chat/theme-colours.ts":
    "a theme that is capped where it is read; parsed as measured in token-rules.ts",
  "src/shell/tools/host-tools.ts": "arguments of a call; JSON.parse is linear",
  "src/shell/inspect/replay.ts": "a body that a person edits; JSON.parse is linear",
  "src/shell/inspect/inspect-text.ts": "exchanges of 8 MB together at most; JSON.parse is linear",
  "src/webview/words.ts": "our own words",
  "src/webview/heights.ts": "the page: each text once",
  "src/webview/view/hunk-view.ts": "the page: the first letter of a line",
  "src/webview/markdown/":
    "the page, which has a thread of its own; its Markdown is measured by its own tests and benches",
};
