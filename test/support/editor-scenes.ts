// The requests of what a person does in the editor: Edit Here, Fix and their like, a review, a terminal, a cell, a commit. What
// an action attaches is written here as the editor's part gathers it (src/editor/actions, src/findings/editor).
import type { Attachment } from "../../src/conversation/state.ts";
import { reviewPrompt, reviewTools } from "../../src/findings/internal/review-prompt.ts";
import type { SessionOptions } from "./driven-session.ts";
import { type Asked, asks, chatModel, diff, type Scene } from "./scene-parts.ts";

/** As `surroundingsOf` gathers them: of a short file all goes along. */
const codeTo = (role: string): readonly Attachment[] => [
  { kind: "selection", path: "src/price.ts", start: 10, end: 10, role },
  { kind: "file", path: "src/price.ts", role: "context" },
];
const about = "src/price.ts, line 10, typescript";

/** What an action of the editor asks. */
const acts = (command: string, more: Asked = {}, options: Partial<SessionOptions> = {}): Scene["play"] =>
  asks(
    { prompt: about, attachments: codeTo(`to-${command}`), command, ...more },
    { kind: "task", ...options },
  );

export const editorScenes: readonly Scene[] = [
  {
    name: "edit-here",
    about: "Edit Here.",
    play: acts("edit", { prompt: "Round the total to whole cents." }),
  },
  {
    name: "edit-here-chat-only",
    about: "Edit Here, with a model that can only chat.",
    play: acts("edit", { prompt: "Round the total to whole cents." }, { model: chatModel }),
  },
  {
    name: "fix",
    about: "Fix, with the problem that the editor shows.",
    play: acts("fix", {
      prompt: `'roundCents' is declared but its value is never read. (${about})`,
      attachments: [...codeTo("to-fix"), { kind: "problems", path: "src/price.ts", role: "problems" }],
    }),
  },
  { name: "explain", about: "Explain.", play: acts("explain", {}, { kind: "chat" }) },
  { name: "refactor", about: "Refactor.", play: acts("refactor") },
  { name: "tests", about: "Write Tests.", play: acts("tests", { attachments: codeTo("to-test") }) },
  { name: "docs", about: "Document.", play: acts("docs", { attachments: codeTo("to-document") }) },
  {
    name: "review",
    about: "Review of two files, one as a whole and one as a diff.",
    play: asks(
      {
        prompt: reviewPrompt(["src/price.ts", "src/round.ts"]),
        attachments: [
          { kind: "file", path: "src/price.ts", role: "to-review" },
          { kind: "diff", name: "src/round.ts", text: diff, role: "to-review" },
        ],
      },
      { kind: "bare", onlyTools: reviewTools },
    ),
  },
  {
    name: "review-command",
    about: "The command /review in a conversation.",
    play: asks({ command: "review", prompt: "", attachments: [{ kind: "file", path: "src/price.ts" }] }),
  },
  {
    name: "terminal",
    about: "Explain Terminal Selection.",
    play: asks({
      command: "terminal",
      prompt: "",
      attachments: [
        { kind: "terminal", name: "Terminal zsh", text: "$ npm test\n1 failed\n", role: "to-explain" },
      ],
    }),
  },
  {
    name: "cell",
    about: "Edit Cell.",
    play: acts("cell", {
      prompt: "Plot the totals as bars.",
      attachments: [
        { kind: "text", name: "totals.ipynb, cell 2, python", text: "plt.plot(totals)", role: "to-edit" },
        {
          kind: "terminal",
          name: "Output of totals.ipynb, cell 2, python",
          text: "[<Line2D>]",
          role: "output",
        },
      ],
    }),
  },
  {
    name: "commit-message",
    about: "Write Commit Message.",
    play: asks(
      {
        command: "commit",
        prompt: "",
        attachments: [{ kind: "diff", name: "Staged changes", text: diff, role: "to-describe" }],
      },
      { kind: "bare" },
    ),
  },
];
