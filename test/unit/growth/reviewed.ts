// What the tests of growth know by name. A file of `src` that walks through text belongs into one of two lists: into
// `parsers.ts`, with texts made to slow it down, or here, with the reason why no foreign text of any length reaches it.

const escapeSign = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);

/** Patterns that are made when the program runs: some that are, or why nobody else decides about them. */
export const madePatterns: Readonly<Record<string, readonly RegExp[] | string>> = {
  "src/service/internal/hide-key-in-replies.ts":
    "the forms of our own key, as they are; measured in parsers.ts",
  "src/service/internal/wait-in-error-text.ts":
    "its own pieces, each with a limit, on no more than 2,000 characters",
  "src/service/internal/adapt-request.ts": [/["'`“]a["'`”]/, /["'`“‘]a["'`”’]|(?<![\w.-])a(?![\w-])/i],
  "src/code-colours/internal/tokenizer.ts":
    "brackets of a language, each a fixed word; lines of 20,000 characters",
  "src/checks/internal/read-check-output.ts": "lines of 2,000 characters at most; measured in parsers.ts",
  "src/session/internal/text-calls.ts": "the mark of a conversation, twelve letters and digits",
  "src/util/hidden-characters.ts": "the same pattern stands beside it as a literal",
  "src/patch/paths.ts": "names of paths, which are 1,024 characters long at most",
  "src/checks/internal/sandbox/find-sandbox.ts":
    "names of our own, in what our own trial has printed, which is capped",
  "src/risk/internal/assertions.ts":
    "numbers whose length is capped, behind words that are fixed; measured in parsers.ts",
  "src/risk/internal/assertion-tables.ts":
    "repetitions that are capped, on 600 characters of an assertion at most; measured in parsers.ts",
  "src/risk/internal/unheard-errors.ts": "constants, in changes of a few lines; measured in parsers.ts",
  "src/risk/internal/config-files.ts": "lines of 500 characters at most; measured in parsers.ts",
  "src/risk/internal/dropped-errors.ts":
    "repetitions that are capped, around words that stand nowhere within each other; measured in parsers.ts",
  "src/risk/internal/rules.ts":
    "classes of single letters without alternatives that overlap, and repetitions that are capped; measured in parsers.ts",
  "src/store/internal/search-conversation.ts": [/a\s+b\s+c/iu],
  "src/files/internal/secret-shapes.ts": "its shapes are measured as a parser, through privacy.ts",
  "src/files/internal/secret-places.ts":
    "asked for the 400 characters before an option; measured through privacy.ts",
  "src/tools/read-attachment.ts": [
    new RegExp(
      `${escapeSign}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escapeSign}]*(?:${bell}|${escapeSign}\\\\)?|[@-Z\\\\-_])`,
      "g",
    ),
  ],

  "src/evidence/internal/own-words.ts": "single letters in a range; measured in parsers.ts",
  "src/evidence/internal/guards.ts":
    "constants, on sentences of 2,000 characters at most; measured in parsers.ts",
  "src/evidence/internal/checks-in-english.ts": "clauses of 300 characters at most; measured in parsers.ts",
  "src/evidence/internal/claims-in-english.ts": "clauses of 300 characters at most; measured in parsers.ts",
  "src/evidence/internal/sentences-in-european-languages.ts":
    "clauses of 300 characters at most; measured in parsers.ts",
  "src/evidence/internal/claims-in-european-languages.ts":
    "clauses of 300 characters at most; measured in parsers.ts",
  "src/evidence/internal/whole-clauses-in-english.ts":
    "clauses of 300 characters at most; measured in parsers.ts",
  "src/evidence/internal/claims-in-chinese.ts": "clauses of 300 characters at most; measured in parsers.ts",
  "src/editor/review/internal/count-references.ts": [/(?<![\w$])a(?![\w$])/],
  "src/page/view/find/find-text.ts": [/a\.b/giu],
  "src/page/markdown/parse/links.ts": [/(https?:\/\/|(?<![\p{L}\p{N}./_-]))example\.com([/?#]\S*)?/giu],
};

/** Patterns that are only asked for texts of so many characters at most. */
export const cappedPatterns: Readonly<Record<string, number>> = {
  [`src/patch/internal/placeholders.ts: ${String(/^(?:\/\/(?![/!])|\/\*(?!\*)|\{\/\*|<!--|<%--|#(?!!)|--|;{1,3}|%{1,2}|\(\*|\{-|@\*|rem\b|!)[ \t]*(.*?)[ \t]*(?:\*\/\}?|-->|--%>|\*\)|-\}|\*@)?$/iu)}`]: 160,
};

/** Files that spread a list over the arguments of a call: why it is short. */
export const shortSpreads: Readonly<Record<string, string>> = {
  "src/checks/internal/sandbox/bubblewrap.ts": "arguments of ours, a few for each folder that is shown",
  "src/checks/internal/sandbox/find-sandbox.ts": "a list of ours",
  "src/conversation/reduce.ts": "the turns of one conversation since the last that began: one at most",
  "src/store/internal/conversation-index.ts": "two dates",
  "src/util/concurrency.ts": "what came of one batch, 25 at most",
  "src/util/ignore-patterns.ts": "the alternatives of one line, which are capped before",
  "src/tools/internal/list-files.ts": "a few sentences",
  "src/tools/internal/search-text.ts": "a few sentences",
  "src/session/slash-commands.ts": "prompts of one folder, which are capped",
  "src/inspect/editor/internal/request-document.ts": "headers of one exchange, which Node limits to 16 KiB",
  "src/editor/settings/read-settings.ts": "values of one setting: one for each place that may set it",
  "src/editor/workspace/internal/write-file-changes.ts": "the changes that are taken at once: a fixed number",
  "src/page/markdown/scripts/highlight-script.ts": "the page, and one scope of a line",
  "src/page/markdown/parse/inline.ts": "the page, and one line of words",
  "src/page/words/usage-text.ts": "numbers of one row",
};

/** Files, or folders of them, that walk through text and are not in `parsers.ts`: why that is no matter. */
export const explained: Readonly<Record<string, string>> = {
  "src/patch/internal/anchors.ts": "planned in the worker; measured with the engine's own tests",
  "src/trials/internal/commit-tree.ts": "files of 4 MB at most; decoding is linear",
  "src/checks/internal/copy/changed-by-command.ts": "files of 5 MB at most; decoding is linear",
  "src/patch/plan.ts": "planned in the worker, over paths of 1,024 characters at most",
  "src/patch/patch-error.ts": "the first letter of a sentence of ours",
  "src/patch/internal/hunk-refusal-text.ts":
    "forty lines of a hunk, each looked for once in its file, and at a thousand places at most; cut before it is walked through; two lines once, up to where they differ",
  "src/patch/internal/sections.ts": "lines that are capped before",
  "src/patch/internal/line-equality.ts":
    "one line, whose length is capped where it is brought into another form",
  "src/patch/internal/patch-markers.ts": "a patch that was capped; JSON.parse is linear",
  "src/store/journal-records.ts": "our own journal; JSON.parse is linear",
  "src/store/documents.ts": "our own files and lines, each sealed; JSON.parse is linear",
  "src/store/internal/conversation-index.ts": "our own file",
  "src/store/file-system.ts": "our own file",
  "src/store/internal/draft-file.ts": "our own file",
  "src/store/internal/log-reader.ts": "our own files: every byte once, in pieces as they are read",
  "src/store/monthly-lines.ts": "one line of our own at a time, sealed; JSON.parse is linear",
  "src/checks/internal/suggest-checks.ts":
    "a person's own settings, and files at the top of a folder that are capped where they are read",
  "src/checks/judge.ts": "the beginning of a compiler's state, capped where it is read; JSON.parse is linear",
  "src/checks/internal/copy-runs.ts":
    "an output is searched once for the folder's path; around each place four characters are looked at",
  "src/checks/internal/reader-program.ts": "manifests of installed programs; JSON.parse is linear",
  "src/checks/internal/run-check-command.ts":
    "messages of ours between our own processes; JSON.parse is linear",
  "src/checks/internal/copy/dependencies.ts": "lists of files, each name once, in a thread of their own",
  "src/checks/internal/copy/sources.ts": "our own file",
  "src/uploaded-files/file-ledger.ts": "our own file",
  "src/changes/change-store.ts": "our own file",
  "src/diagrams/internal/flowchart.ts": "texts of 20,000 characters at most, statement by statement",
  "src/diagrams/internal/statements.ts":
    "texts of 20,000 characters at most; each sign that never closes is looked for once in a line",
  "src/editor/review/internal/remarks.ts": "each place of a quote once, with the lines since the last one",
  "src/risk/internal/format-only.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/risk/internal/manifest-sections.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/risk/internal/hunk.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/risk/internal/public-names.ts": "measured in parsers.ts through its one entrance, file-risk.ts",
  "src/changes/pending-changes.ts": "the ends of lines of one file, each once",
  "src/session/conversation-store.ts": "our own journal",
  "src/trials/session-trials.ts": "our own file",
  "src/store/internal/repair-conversation.ts": "our own journal",
  "src/files/internal/path-table.ts": "paths, in slices, once for each letter that is typed",
  "src/files/internal/fuzzy-match.ts": "64 letters at most, in the 150 best paths",
  "src/session/internal/reply-events.ts":
    "items that were read and capped as they arrived; JSON.parse is linear",
  "src/session/internal/session-remarks.ts": "at most a hundred remarks, each capped; JSON.parse is linear",
  "src/session/internal/history.ts": "items that were read and capped as they arrived; JSON.parse is linear",
  "src/session/internal/opening.ts": "items of ours; JSON.parse is linear",
  "src/session/internal/transcript.ts":
    "items that were read and capped as they arrived; JSON.parse is linear",
  "src/session/internal/compaction.ts":
    "items that were read and capped as they arrived; JSON.parse is linear",
  "src/service/internal/text-part.ts": "only the last character of a delta",
  "src/service/internal/stream-records.ts": "counts each byte of a record once, as it arrives",
  "src/service/internal/call.ts": "capped at the bytes of its caller",
  "src/service/internal/body.ts":
    "our own definitions of tools; JSON.parse is linear; our own input items, each read once",
  "src/service/internal/request-shapes.ts": "our own definitions of tools",
  "src/service/internal/json-operations.ts":
    "ids that a person typed; our own request; a reply of 1 MiB at most; JSON.parse is linear",
  "src/service/internal/read-reply.ts": "records that were weighed before; JSON.parse is linear",
  "src/service/internal/chat-reply.ts": "records that were weighed before; JSON.parse is linear",
  "src/tools/tool.ts": "arguments of a call; JSON.parse is linear",
  "src/files/privacy.ts":
    "rules of 64 KiB at most; measured by tools/limits.slow.test.ts; its patterns are attacked like all others",
  "src/util/ignore-patterns.ts":
    "measured by tools/limits.slow.test.ts, against the costliest rules there are",
  "src/tools/internal/search/search-in-memory.ts": "of a text, the ends of its lines, each once or twice",
  "src/files/internal/secret-finders.ts": "measured in parsers.ts through its one entrance, privacy.ts",
  "src/files/internal/secret-places.ts": "measured in parsers.ts through its one entrance, privacy.ts",
  "src/files/internal/secret-values.ts":
    "each letter of one value once; measured in parsers.ts through its one entrance, privacy.ts",
  "src/util/json.ts": "JSON.parse is linear",
  "src/inspect/internal/edit-and-compare.ts": "a body that a person edits; JSON.parse is linear",
  "src/usage/prompt-cache.ts": "two requests of ours, up to where they differ",
  "src/usage/local-estimate.ts": "our own request; JSON.parse is linear",
  "src/usage/internal/service-estimate.ts": "our own request; JSON.parse is linear",
  "src/bridge/html.ts": "our own page",
  "src/editor/review/internal/proposed-files.ts": "a text of ours, decoded",
  "src/editor/walkthrough/samples.ts": "our own walk-through",
  "src/editor/workspace/internal/pre-edit-state.ts": "a document that the editor holds; each line's end once",
  "src/uploaded-files/editor/uploaded-files.ts": "a file that is capped where it is read",
  "src/code-colours/editor/colour-sources.ts": "settings of a person; JSON.parse is linear",
  "src/code-colours/editor/theme-colours.ts":
    "a theme that is capped where it is read; parsed as measured in json.ts",
  "src/tools/editor/vscode-tools.ts": "arguments of a call; JSON.parse is linear",
  "src/inspect/editor/internal/replay.ts": "a body that a person edits; JSON.parse is linear",
  "src/inspect/editor/internal/request-document.ts":
    "exchanges of 8 MB together at most; JSON.parse is linear",
  "src/page/words/strings.ts": "our own words",
  "src/page/view/transcript/turn-window.ts": "the page: each text once",
  "src/page/markdown/":
    "the page, which has a thread of its own; its Markdown is measured by its own tests and benches",
};
