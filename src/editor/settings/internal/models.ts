import { group } from "./declaration.ts";

export const modelsSettings = group({
  title: { en: "Models and Responses", zh: "模型与回复" },
  settings: {
    models: {
      scope: "application",
      isInReadme: true,
      ignoreSync: true,
      description: {
        en: "Add models, or override built-in ones.\n\nPatchbay doesn't check whether the service offers them.",
        zh: "添加模型，或覆盖内置模型。\n\nPatchbay 不检查服务是否提供这些模型。",
      },
      schema: {
        type: "array",
        default: [],
        items: {
          type: "object",
          required: ["id"],
          additionalProperties: false,
          properties: {
            id: {
              type: "string",
              pattern: "^\\S{1,128}$",
              patternErrorMessage: {
                en: "A model ID is one word of at most 128 characters.",
                zh: "模型 ID 不能含空格，最多 128 个字符。",
              },
              markdownDescription: {
                en: "Model name sent in the `model` field.",
                zh: "在 `model` 字段中发送的模型名称。",
              },
            },
            label: {
              type: "string",
              minLength: 1,
              maxLength: 60,
              markdownDescription: {
                en: "Name shown in lists. Defaults to the ID.",
                zh: "列表中显示的名称。默认为模型 ID。",
              },
            },
            route: {
              type: "string",
              enum: ["responses", "chat"],
              markdownDescription: {
                en: "Operation used for the model.\n\n`svc-k3` uses Responses, which can reason, search and edit. Other models use chat completions unless you choose `responses`.",
                zh: "该模型使用的操作。\n\n`svc-k3` 使用 Responses，可以推理、搜索和编辑。其他模型使用 chat completions，除非你选择 `responses`。",
              },
            },
            contextWindow: {
              type: "integer",
              minimum: 1,
              markdownDescription: {
                en: "Maximum number of tokens in a request. You're asked before a larger question is sent.",
                zh: "单个请求的最大 token 数。问题超过此数时，发送前会先询问你。",
              },
            },
            vision: {
              type: "boolean",
              markdownDescription: {
                en: "Accepts images. If not, you're asked before an image is sent.",
                zh: "是否接受图片。不接受时，发送图片前会先询问你。",
              },
            },
          },
        },
      },
    },
    "model.default": {
      scope: "resource",
      rule: "model",
      isInReadme: true,
      description: {
        en: "Model of a new conversation.\n\nEvery model reads your workspace and proposes edits. `svc-k3` can also reason and search the web.",
        zh: "新对话使用的模型。\n\n每个模型都可以读取你的工作区并提议编辑。`svc-k3` 还可以推理并搜索网络。",
      },
      schema: {
        type: "string",
        default: "svc-k3",
        pattern: "^\\S{1,128}$",
        patternErrorMessage: {
          en: "A model ID is one word of at most 128 characters.",
          zh: "模型 ID 不能含空格，最多 128 个字符。",
        },
        examples: ["svc-k3", "svc-k2.7-code", "svc-k2.7-code-highspeed", "svc-k2.6"],
      },
    },
    "model.edit": {
      scope: "resource",
      rule: "model",
      isAdvanced: true,
      description: {
        en: "Model for actions that edit files.\n\nUsed by Fix, Refactor, Write Tests, Document and Edit. Empty uses the selected model.",
        zh: "执行编辑文件的操作时使用的模型。\n\n用于“修复”“重构”“编写测试”“编写文档”和“编辑”。留空则使用所选模型。",
      },
      schema: {
        type: "string",
        default: "",
        pattern: "^\\S{0,128}$",
        patternErrorMessage: {
          en: "A model ID is one word of at most 128 characters.",
          zh: "模型 ID 不能含空格，最多 128 个字符。",
        },
        examples: ["", "svc-k2.7-code-highspeed"],
      },
    },
    "reasoning.effort": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Reasoning effort on `svc-k3`, sent as `reasoning.effort`.\n\nThe service doesn't publish its values. Empty sends nothing.",
        zh: "`svc-k3` 的推理强度，作为 `reasoning.effort` 发送。\n\n服务未公布可用的值。留空则不发送。",
      },
      schema: { type: "string", default: "" },
    },
    "output.maxTokens": {
      scope: "resource",
      rule: "limit",
      description: {
        en: "Maximum number of tokens in a response of `svc-k3`.\n\nIt counts output only. Empty uses the service's limit of 131,072.",
        zh: "`svc-k3` 单次回复的最大 token 数。\n\n只计输出。留空则采用服务的上限 131,072。",
      },
      schema: { type: ["integer", "null"], minimum: 1, maximum: 1048576, default: null },
    },
    "output.maxTokensForActions": {
      scope: "resource",
      rule: "limit",
      isAdvanced: true,
      description: {
        en: "Maximum number of tokens in a response to an editor action.\n\nA limit set for the conversation comes first. Empty uses `#patchbay.output.maxTokens#`.",
        zh: "编辑器操作单次回复的最大 token 数。\n\n优先采用为对话设置的上限。留空则采用 `#patchbay.output.maxTokens#`。",
      },
      schema: { type: ["integer", "null"], minimum: 1, maximum: 1048576, default: 16384 },
    },
    "cache.ttl": {
      scope: "resource",
      rule: "tier",
      description: {
        en: "Cache lifetime on `svc-k3`.\n\n`default` lets the service decide: about five minutes. It affects the cost of a request, not the response.",
        zh: "`svc-k3` 的缓存有效期。\n\n`default` 由服务决定，约五分钟。它影响请求的费用，不影响回复。",
      },
      schema: {
        type: "string",
        enum: ["default", "5m", "1h"],
        enumDescriptions: [
          { en: "The service decides.", zh: "由服务决定。" },
          { en: "At least 5 minutes.", zh: "至少 5 分钟。" },
          { en: "At least 1 hour; cache writes cost more.", zh: "至少 1 小时；写入缓存的费用更高。" },
        ],
        default: "default",
      },
    },
    "webSearch.default": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Turn on web search in new conversations with `svc-k3`.\n\nThe service may send queries to a search provider.",
        zh: "在使用 `svc-k3` 的新对话中启用网络搜索。\n\n服务可能会将查询发送给搜索提供商。",
      },
      schema: { type: "boolean", default: false },
    },
    "languageModel.enabled": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Offer the models to VS Code's own chat and to other extensions.\n\nThey use your tokens; what they used is listed in *Usage*. To get inline responses in the editor, turn off `#inlineChat.askInChat#`.",
        zh: "将模型提供给 VS Code 自带的聊天和其他扩展。\n\n它们会消耗你的 token；明细见*用量*。若要让内联聊天直接在编辑器中回复，请关闭 `#inlineChat.askInChat#`。",
      },
      schema: { type: "boolean", default: false },
    },
  },
});
