// Faults that were planted by hand, and that no test noticed when they were planted first.

/** In `file`, the one place that reads `old` reads `text` instead. */
export const planted = [
  {
    what: "the editor's own places may be read",
    file: "src/files/guarded-files.ts",
    old: 'if (standing.guarded) throw refuse(message("whyEditors"));',
    text: ";",
  },
  {
    what: "an ignore file that becomes a link while it is read still rules",
    file: "src/files/guarded-files.ts",
    old: "if ((await ruling.look(file)).real !== real) return leadsOut;",
    text: ";",
  },
  {
    what: "an unsaved ignore file of any size is obeyed",
    file: "src/files/guarded-files.ts",
    old: 'if (reading.kind === "text" && reading.text.length > maxIgnoreBytes) return tooLarge;',
    text: ";",
  },
  {
    // It was planted in may-run.ts, which is gone; this is where a move's second name is asked about now.
    what: "a file may be moved to any name, eslint.config.js among them",
    file: "src/changes/pending-changes.ts",
    old: "(base !== undefined && isSameFile(base.file, proposed.file))",
    text: "base !== undefined",
  },
  {
    what: "an imported answer goes out with its secrets",
    file: "src/session/internal/sanitize-import.ts",
    old: "const { text: clean } = takeOutSecrets(text);",
    text: "const clean = text;",
  },
  {
    what: '"recently" has no end',
    file: "src/session/language-model-chat.ts",
    old: "const recently = 5 * 60_000;",
    text: "const recently = Number.POSITIVE_INFINITY;",
  },
  {
    what: "one of three base64 forms of the key is shown",
    file: "src/util/mask-secrets.ts",
    old: "[0, 1, 2].map(",
    text: "[0, 1].map(",
  },
  {
    what: "exit 126 counts as findings",
    file: "src/checks/judge.ts",
    old: "code === 127 || code === 126 ||",
    text: "code === 127 ||",
  },
  {
    what: "a path twice as deep passes",
    file: "src/patch/paths.ts",
    old: "const deepest = 64;",
    text: "const deepest = 128;",
  },
  {
    what: "the approval of a tool is bound to its name",
    file: "src/tools/tool-table.ts",
    old: "JSON.stringify([host.namespace, host.name, definition, readOnly])",
    text: "JSON.stringify([host.namespace, host.name])",
  },
  {
    what: "a deletion that a dying window has not done counts as accepted",
    file: "src/changes/internal/change-saver.ts",
    old: 'after === undefined ? live.kind === "nothing"',
    text: "after === undefined ? true",
  },
  {
    what: ".git is known by one spelling",
    file: "src/patch/paths.ts",
    old: 'if (foldName(segment) === ".git")',
    text: 'if (segment === ".git")',
  },
];
