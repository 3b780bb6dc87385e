import { preferences } from "../../../bridge/preferences.ts";
import { group } from "./declaration.ts";

export const chatSettings = group({
  title: { en: "Chat", zh: "聊天" },
  settings: {
    "chat.sendKey": {
      scope: "application",
      isInReadme: true,
      description: { en: "Key that sends a question.", zh: "发送问题的按键。" },
      schema: {
        ...preferences.sendKey,
        type: "string",
        enumDescriptions: [
          { en: "Enter sends, Shift+Enter adds a line.", zh: "Enter 发送，Shift+Enter 换行。" },
          {
            en: "Ctrl+Enter (Cmd+Enter) sends, Enter adds a line.",
            zh: "Ctrl+Enter（Cmd+Enter）发送，Enter 换行。",
          },
        ],
      },
    },
    "chat.scroll": {
      scope: "application",
      description: { en: "Scrolling during a response.", zh: "回复过程中的滚动方式。" },
      schema: {
        ...preferences.scroll,
        type: "string",
        enumDescriptions: [
          { en: "Keep the newest line in view.", zh: "让最新一行保持可见。" },
          { en: "Keep the start of the response in view.", zh: "让回复的开头保持可见。" },
          { en: "Don't scroll.", zh: "不滚动。" },
        ],
      },
    },
    "chat.reasoning": {
      scope: "application",
      description: { en: "Amount of reasoning that is shown at first.", zh: "默认显示多少推理内容。" },
      schema: {
        ...preferences.reasoning,
        type: "string",
        enumDescriptions: [
          { en: "A headline.", zh: "仅标题。" },
          { en: "The first lines.", zh: "前几行。" },
          { en: "All of it.", zh: "全部内容。" },
        ],
      },
    },
    "chat.textDirection": {
      scope: "application",
      isAdvanced: true,
      description: {
        en: "Text direction in the conversation. Code is always left to right.",
        zh: "对话中的文字方向。代码始终从左到右。",
      },
      schema: {
        ...preferences.textDirection,
        type: "string",
        enumDescriptions: [
          { en: "By the first letters of each paragraph.", zh: "由每段开头的文字决定。" },
          { en: "Left to right.", zh: "从左到右。" },
          { en: "Right to left.", zh: "从右到左。" },
        ],
      },
    },
    "chat.renderMath": {
      scope: "application",
      isAdvanced: true,
      description: { en: "Render formulas between dollar signs.", zh: "渲染美元符号之间的公式。" },
      schema: {
        ...preferences.renderMath,
        type: "boolean",
      },
    },
    "chat.renderMermaid": {
      scope: "application",
      isAdvanced: true,
      description: { en: "Draw Mermaid diagrams.", zh: "绘制 Mermaid 图表。" },
      schema: {
        ...preferences.renderMermaid,
        type: "boolean",
      },
    },
    "chat.attachActiveEditor": {
      scope: "application",
      description: {
        en: "Attach the active file or selection to each question.\n\nOff: it is suggested above the box, and added by a click. In Restricted Mode nothing is suggested.",
        zh: "将当前文件或所选内容添加到每个问题。\n\n关闭时，会在输入框上方提供建议，单击即可添加。在受限模式下不提供建议。",
      },
      schema: {
        ...preferences.attachActiveEditor,
        type: "boolean",
      },
    },
    "instructions.user": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Instructions for the model in every conversation.\n\nThey're read when a conversation starts and don't change during it.",
        zh: "提供给模型的指令，适用于每个对话。\n\n在对话开始时读取，并在整个对话期间保持不变。",
      },
      schema: { type: "string", editPresentation: "multilineText", default: "" },
    },
    "instructions.workspaceFile": {
      scope: "window",
      rule: "off",
      description: {
        en: "Read what a trusted workspace tells models: `AGENTS.md`, `CLAUDE.md`, `.github/copilot-instructions.md` and `.github/instructions`.\n\nYou're asked before a text is sent for the first time. It's shown as an attachment.",
        zh: "读取受信任工作区提供给模型的指令：`AGENTS.md`、`CLAUDE.md`、`.github/copilot-instructions.md` 和 `.github/instructions`。\n\n首次发送某段文本前会询问你。它显示为附件。",
      },
      schema: { type: "boolean", default: true },
    },
    prompts: {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Custom slash commands.\n\nThe title *Release notes* becomes `/release-notes`. A trusted workspace can add more in `.patchbay/prompts/*.md` and `.github/prompts/*.prompt.md`; they're shown before their first use.",
        zh: "自定义斜杠命令。\n\n标题 *Release notes* 对应 `/release-notes`。受信任的工作区可以在 `.patchbay/prompts/*.md` 和 `.github/prompts/*.prompt.md` 中添加更多；首次使用前会显示其内容。",
      },
      schema: {
        type: "array",
        items: {
          type: "object",
          properties: {
            title: {
              type: "string",
              minLength: 1,
              description: { en: "Name of the command.", zh: "命令的名称。" },
            },
            prompt: {
              type: "string",
              minLength: 1,
              description: { en: "Instructions for the model.", zh: "给模型的指令。" },
            },
            mode: {
              type: "string",
              enum: ["ask", "edit"],
              enumDescriptions: [
                { en: "Show the response in the chat.", zh: "在聊天中显示回复。" },
                { en: "Edit files, with a model that can.", zh: "由能够编辑的模型来编辑文件。" },
              ],
              default: "ask",
            },
          },
          required: ["title", "prompt"],
          additionalProperties: false,
        },
        default: [],
      },
    },
    "history.keepDays": {
      scope: "application",
      description: {
        en: "Days to keep unused conversations; `0` keeps them forever.\n\nYou're asked before any is deleted.",
        zh: "未使用的对话保留的天数；`0` 表示永久保留。\n\n删除之前会询问你。",
      },
      schema: { type: "integer", minimum: 0, maximum: 36500, default: 0 },
    },
    "chat.notify": {
      scope: "application",
      description: {
        en: "Notify when a long response ends or needs your decision.\n\nA badge on the chat icon always counts pending decisions.",
        zh: "在耗时较长的回复结束或需要你决定时通知。\n\n聊天图标上的徽章始终显示待决定的数量。",
      },
      schema: {
        type: "string",
        enum: ["never", "unfocused", "always"],
        enumDescriptions: [
          { en: "Never.", zh: "从不。" },
          { en: "When another window is focused.", zh: "当焦点在其他窗口时。" },
          { en: "Also in this window when the chat is hidden.", zh: "当聊天不可见时，在此窗口中也通知。" },
        ],
        default: "unfocused",
      },
    },
  },
});
