import { group } from "./declaration.ts";

export const privacySettings = group({
  title: { en: "Privacy", zh: "隐私" },
  settings: {
    "context.ignore": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Files that are never sent, as `.gitignore` patterns.\n\nThey add to the built-in ones (`.env*`, keys, credentials). A pattern that starts with `!` lifts a built-in one.",
        zh: "从不发送的文件，采用 `.gitignore` 模式。\n\n附加于内置模式（`.env*`、密钥、凭据）。以 `!` 开头的模式可取消相应的内置模式。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "context.alsoIgnore": {
      scope: "resource",
      rule: "more",
      isAdvanced: true,
      description: {
        en: "More files of this workspace that are never sent.\n\nA workspace can only add patterns. Its `.patchbayignore` adds some, too.",
        zh: "此工作区中另外从不发送的文件。\n\n工作区只能增加模式；其 `.patchbayignore` 也会增加模式。",
      },
      schema: { type: "array", items: { type: "string" }, default: [] },
    },
    "context.maxFileKiB": {
      scope: "resource",
      rule: "limit",
      isAdvanced: true,
      description: {
        en: "Maximum size of one attached text, in KiB.\n\nLonger texts are cut, and their chip says so.",
        zh: "单个文本附件的大小上限（KiB）。\n\n超出部分会被截断，并在标签上注明。",
      },
      schema: { type: "integer", minimum: 1, maximum: 5000, default: 512 },
    },
    "context.surroundings": {
      scope: "window",
      rule: "fewer",
      isAdvanced: true,
      description: {
        en: "What the model is told about a trusted workspace without being attached.\n\nAll but `editor` is read when a conversation starts. Files that are never sent aren't named.",
        zh: "无需添加即告知模型的受信任工作区信息。\n\n除 `editor` 外，均在对话开始时读取。从不发送的文件不会被提及。",
      },
      schema: {
        type: "array",
        items: {
          type: "string",
          enum: ["folders", "tree", "system", "languages", "checks", "editor"],
          enumDescriptions: [
            { en: "Names of the workspace folders.", zh: "工作区文件夹的名称。" },
            { en: "Names of files and folders, two levels deep.", zh: "两级以内的文件和文件夹名称。" },
            { en: "Operating system: Linux, macOS, or Windows.", zh: "操作系统：Linux、macOS 或 Windows。" },
            { en: "Programming languages, by number of files.", zh: "编程语言及其文件数。" },
            {
              en: "Names of your checks, where the model can run them.",
              zh: "检查的名称（模型可以运行时）。",
            },
            {
              en: "With each question: path of the active file, selected and visible lines, and paths of files changed since the last question.",
              zh: "随每个问题发送：活动文件的路径、所选和可见的行，以及自上一个问题以来更改的文件路径。",
            },
          ],
        },
        uniqueItems: true,
        default: ["folders", "tree", "system", "languages", "checks", "editor"],
      },
    },
    "estimate.mode": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Token counting before a question is sent.\n\nThe local estimate is always shown and sends nothing.",
        zh: "发送问题之前的 token 计数方式。\n\n本地估算始终显示，且不发送任何内容。",
      },
      schema: {
        type: "string",
        enum: ["local", "onDemand", "auto"],
        enumDescriptions: [
          { en: "Local estimate only.", zh: "仅本地估算。" },
          { en: "By the service when you ask.", zh: "在你要求时由服务计算。" },
          {
            en: "By the service when you pause typing: drafts are sent before you press Send.",
            zh: "在你停止输入时由服务计算：草稿会在你按下发送之前发出。",
          },
        ],
        default: "onDemand",
      },
    },
    trace: {
      scope: "application",
      isAdvanced: true,
      ignoreSync: true,
      description: {
        en: "Write requests and responses to the Patchbay log.\n\nYour key, nonces and encrypted content are never logged.",
        zh: "将请求和回复写入 Patchbay 日志。\n\n你的密钥、随机数和加密内容永远不会写入。",
      },
      schema: {
        type: "string",
        enum: ["off", "headers", "bodies"],
        enumDescriptions: [
          { en: "Nothing.", zh: "不写入。" },
          { en: "Methods, paths, statuses and headers.", zh: "方法、路径、状态和请求头。" },
          { en: "Bodies too, until VS Code restarts.", zh: "还包括正文，直到 VS Code 重新启动。" },
        ],
        default: "off",
      },
    },
  },
});
