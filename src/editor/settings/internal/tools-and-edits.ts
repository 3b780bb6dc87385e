import { group } from "./declaration.ts";

export const editsSettings = group({
  title: { en: "Tools and Edits", zh: "工具与编辑" },
  settings: {
    "agent.maxSteps": {
      scope: "application",
      isAdvanced: true,
      description: {
        en: "Requests per question before you're asked to continue.",
        zh: "每个问题可发出的请求数，超过后会询问是否继续。",
      },
      schema: { type: "integer", minimum: 1, maximum: 200, default: 25 },
    },
    "agent.tools": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Permissions of tools: `auto` runs, `ask` asks each time, `off` hides.\n\nTools that read run without asking in trusted folders. Edits are always reviewed unless `#patchbay.patch.autoAccept#` says otherwise. Commands (`run_command`) run on a copy, in a sandbox; with `ask` or `auto` they also run where there is no sandbox, or for chat models, and without a sandbox each one asks. One that a model wants to run in your own folder asks every time, with its exact line, even with `auto`.",
        zh: "工具的权限：`auto` 直接运行，`ask` 每次询问，`off` 对模型隐藏。\n\n在受信任的文件夹中，读取类工具无需询问即可运行。编辑始终需要审阅，除非 `#patchbay.patch.autoAccept#` 另有设置。命令（`run_command`）在沙盒中的副本上运行；设为 `ask` 或 `auto` 时，没有沙盒或使用聊天模型时也可运行，且没有沙盒时每条命令都会询问。模型想在真实文件夹中运行的命令，即使设为 `auto`，每次也会连同确切的命令行一起询问。",
      },
      schema: {
        type: "object",
        additionalProperties: { type: "string", enum: ["off", "ask", "auto"] },
        default: {},
      },
    },
    "agent.disabledTools": {
      scope: "resource",
      rule: "more",
      isAdvanced: true,
      description: {
        en: "Tools that are off in this workspace.\n\nA workspace can only turn tools off.",
        zh: "在此工作区中关闭的工具。\n\n工作区只能关闭工具。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "patch.autoAccept": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Patterns of files whose edits are accepted without a review.\n\nThey are written as in `.gitignore`, such as `**/test/**`, and apply at the end of a turn. What a check or a build could load is accepted only if your checks have passed with it in a sandbox; that is everything but Markdown without code. Deletions, conflicts, sensitive files, secrets, weakened tests, files with unsaved changes and edits you changed always need your review. One Undo reverts what was accepted.",
        zh: "无需审阅即可接受其编辑的文件的模式。\n\n写法与 `.gitignore` 相同，例如 `**/test/**`，在轮次结束时生效。检查或构建可能加载的内容，只有在你的检查连同它在沙盒中通过后才会被接受；不含代码的 Markdown 之外的一切都属于此类。删除、冲突、敏感文件、机密、被削弱的测试、有未保存更改的文件以及你修改过的编辑始终需要你审阅。一次撤消即可还原已接受的内容。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "patch.saveAfterApply": {
      scope: "resource",
      rule: "off",
      description: {
        en: "Save files when you accept changes.\n\nFiles that already had unsaved changes stay unsaved.",
        zh: "接受更改时保存文件。\n\n原本就有未保存更改的文件保持未保存。",
      },
      schema: { type: "boolean", default: true },
    },
    "patch.style": {
      scope: "window",
      rule: "look",
      description: {
        en: "Editor that *Review All Changes* opens.\n\nIf it isn't set and `#editor.accessibilitySupport#` is `on`, Refactor Preview opens.",
        zh: "*审阅所有更改*打开的编辑器。\n\n如果未设置且 `#editor.accessibilitySupport#` 为 `on`，则打开重构预览。",
      },
      schema: {
        type: "string",
        enum: ["multiDiff", "refactorPreview"],
        enumDescriptions: [
          {
            en: "All files in one diff editor, where you can edit the proposal.",
            zh: "在一个差异编辑器中显示所有文件，可在其中编辑提议的内容。",
          },
          {
            en: "VS Code's Refactor Preview: a list with a checkbox for each change.",
            zh: "VS Code 的重构预览：每处更改都有一个复选框的列表。",
          },
        ],
        default: "multiDiff",
      },
    },
    "patch.protected": {
      scope: "application",
      description: {
        en: "Files that need confirmation before an edit, as `.gitignore` patterns.\n\nThey add to the built-in ones (`.vscode`, `package.json`, lock files, build and CI files, keys). A pattern that starts with `!` lifts a built-in one in every folder; `!` with a file's URL lifts it for that file alone, as *Apply and Don't Ask Again* does. `.git` is never changed.",
        zh: "编辑前需要确认的文件，采用 `.gitignore` 模式。\n\n附加于内置模式（`.vscode`、`package.json`、锁文件、构建和 CI 文件、密钥）。以 `!` 开头的模式在所有文件夹中取消相应的内置模式；`!` 后接文件 URL 则仅对该文件取消，“应用且不再询问”添加的就是这种条目。`.git` 永远不会被更改。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "patch.alsoProtected": {
      scope: "resource",
      rule: "more",
      isAdvanced: true,
      description: {
        en: "More files of this workspace that need confirmation before an edit.\n\nA workspace can only add patterns.",
        zh: "此工作区中另外需要在编辑前确认的文件。\n\n工作区只能增加模式。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "actions.listContext": {
      scope: "application",
      description: {
        en: "List the context of editor actions before it's sent.\n\nWhen off, the action sends right away and shows its context as chips.",
        zh: "在发送之前列出编辑器操作的上下文。\n\n关闭时，操作会立即发送，并以标签显示其上下文。",
      },
      schema: { type: "boolean", default: false },
    },
    "codeActions.enabled": {
      scope: "window",
      rule: "off",
      description: {
        en: "Show *Fix with Patchbay* and *Edit with Patchbay* in the light bulb.\n\nThey send nothing until you choose them.",
        zh: "在灯泡菜单中显示*用 Patchbay 修复*和*用 Patchbay 编辑*。\n\n在你选择之前它们不发送任何内容。",
      },
      schema: { type: "boolean", default: true },
    },
    "editorMenu.enabled": {
      scope: "application",
      isAdvanced: true,
      description: {
        en: "Show Patchbay in the context menu of editors.",
        zh: "在编辑器的上下文菜单中显示 Patchbay。",
      },
      schema: { type: "boolean", default: true },
    },
    checks: {
      scope: "application",
      description: {
        en: "Checks that run on proposed changes, on a copy of the workspace.\n\nUse *Set Up Checks…*: a command runs in a folder only once you have accepted it there. A command that runs code of a proposal runs in a sandbox, or asks first where there is none.",
        zh: "在工作区副本上对提议的更改运行的检查。\n\n请使用“设置检查…”：只有你在某个文件夹中接受了某条命令，它才会在该文件夹中运行。会运行提议中代码的命令在沙盒中运行；没有沙盒时会先询问。",
      },
      schema: {
        type: "array",
        items: {
          type: "object",
          required: ["name", "command", "kind"],
          additionalProperties: false,
          properties: {
            name: { type: "string" },
            command: {
              type: "string",
              description: {
                en: "The command line, run at the top of the copied folder.",
                zh: "在复制的文件夹顶层运行的命令行。",
              },
            },
            kind: { type: "string", enum: ["static", "tests"] },
            files: {
              type: "string",
              description: {
                en: "Runs only when a proposed file matches this pattern.",
                zh: "仅当提议的文件与此模式匹配时运行。",
              },
            },
            ignoredFiles: {
              type: "array",
              items: { type: "string" },
              description: {
                en: "Ignored files and folders that the check needs, such as generated code. They are copied with the rest.",
                zh: "检查所需的被忽略文件和文件夹，例如生成的代码。它们会随其余文件一并复制。",
              },
            },
            timeoutSeconds: { type: "integer", minimum: 1, maximum: 3600 },
            automatic: {
              type: "boolean",
              description: {
                en: "Run automatically.\n\nStatic checks do by default. Tests don't, because they run proposed code that nobody has reviewed.",
                zh: "自动运行。\n\n静态检查默认自动运行。测试则不会，因为它们会运行尚无人审阅的提议代码。",
              },
            },
          },
        },
        default: [],
      },
    },
    provenance: {
      scope: "application",
      isAdvanced: true,
      description: {
        en: "Show where a line comes from, and keep it in Git notes.\n\nNotes are in `refs/notes/ai`, by the Git AI Standard 3.0.0, in trusted folders only. A note has lines, model, checks, who accepted them and hashes of receipts, and nothing that was said. Patchbay never pushes notes. Amend, rebase and cherry-pick make a commit with another ID, which has no note: a window with Patchbay that sees it writes one. `notes.rewriteRef` makes Git copy notes on amend and rebase, with the old line numbers; a squash then joins them into one that cannot be read.",
        zh: "显示代码行的来源，并将其保存在 Git 注释中。\n\n注释位于 `refs/notes/ai`，遵循 Git AI 标准 3.0.0，仅限受信任的文件夹。注释包含行、模型、检查、接受者以及回执的哈希，不含对话内容。Patchbay 从不推送注释。修订、变基和拣选会产生 ID 不同且没有注释的提交：看到它的 Patchbay 窗口会写入注释。`notes.rewriteRef` 会让 Git 在修订和变基时复制注释，但行号是旧的；压缩提交会把注释拼接成无法读取的一条。",
      },
      schema: {
        type: "string",
        enum: ["off", "own", "read", "write"],
        enumDescriptions: [
          { en: "Show nothing.", zh: "不显示。" },
          {
            en: "Show the origin of lines that Patchbay wrote here, on hover.",
            zh: "悬停时显示 Patchbay 在此所写代码行的来源。",
          },
          { en: "Also show what Git notes of others say.", zh: "还显示他人的 Git 注释所写内容。" },
          {
            en: "Also write a note after each of your commits with such lines.",
            zh: "还在你的每个含有此类代码行的提交之后写入注释。",
          },
        ],
        default: "own",
      },
    },
  },
});
