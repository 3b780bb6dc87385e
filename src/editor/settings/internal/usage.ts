import { group } from "./declaration.ts";

export const usageSettings = group({
  title: { en: "Tokens, Cost and Receipts", zh: "Token、费用与回执" },
  settings: {
    "status.show": {
      scope: "window",
      rule: "fewer",
      isAdvanced: true,
      description: { en: "Items in the status bar.", zh: "状态栏中显示的项目。" },
      schema: {
        type: "array",
        items: {
          type: "string",
          enum: ["estimate", "usage", "cache", "cost"],
          enumDescriptions: [
            { en: "Estimated tokens of the selection or the draft.", zh: "所选内容或草稿的估算 token 数。" },
            { en: "Tokens of the last turn.", zh: "上一轮的 token。" },
            {
              en: "Share of the input read from the cache, and how long the conversation stays cached.",
              zh: "输入中从缓存读取的比例，以及缓存的剩余有效时间。",
            },
            { en: "Cost by `#patchbay.pricing#`.", zh: "按 `#patchbay.pricing#` 计算的费用。" },
          ],
        },
        uniqueItems: true,
        default: ["estimate", "usage", "cache", "cost"],
      },
    },
    pricing: {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Your own prices, to calculate costs.\n\nNone are built in. Costs are shown for models with all five rates.",
        zh: "你自己的价格，用于计算费用。\n\n没有内置价格。只有五个费率齐全的模型才显示费用。",
      },
      schema: {
        type: ["object", "null"],
        default: null,
        required: ["currency", "perMillion"],
        additionalProperties: false,
        properties: {
          currency: {
            type: "string",
            minLength: 1,
            maxLength: 12,
            markdownDescription: {
              en: "Currency code such as `EUR`, or any other word.",
              zh: "货币代码（如 `EUR`）或任意其他文字。",
            },
          },
          perMillion: {
            type: "object",
            markdownDescription: {
              en: "Rates per million tokens, by model.",
              zh: "按模型给出的每百万 token 费率。",
            },
            additionalProperties: {
              type: "object",
              required: ["input", "cached", "write5m", "write1h", "output"],
              additionalProperties: false,
              properties: {
                input: {
                  type: "number",
                  minimum: 0,
                  markdownDescription: {
                    en: "Input that is neither read from the cache nor written to it.",
                    zh: "既未从缓存读取也未写入缓存的输入。",
                  },
                },
                cached: {
                  type: "number",
                  minimum: 0,
                  markdownDescription: { en: "Input read from the cache.", zh: "从缓存读取的输入。" },
                },
                write5m: {
                  type: "number",
                  minimum: 0,
                  markdownDescription: {
                    en: "Input written to the cache for 5 minutes.",
                    zh: "写入缓存 5 分钟的输入。",
                  },
                },
                write1h: {
                  type: "number",
                  minimum: 0,
                  markdownDescription: {
                    en: "Input written to the cache for 1 hour.",
                    zh: "写入缓存 1 小时的输入。",
                  },
                },
                output: {
                  type: "number",
                  minimum: 0,
                  markdownDescription: { en: "Output, including reasoning.", zh: "输出，包括推理。" },
                },
              },
            },
          },
        },
      },
    },
    "spend.askAboveTokens": {
      scope: "application",
      isInReadme: true,
      description: {
        en: "Ask before a question sends more uncached tokens than this.\n\nThe number is estimated on this computer. Empty never asks.",
        zh: "问题将发送的未缓存 token 超过此数时，先询问你。\n\n此数在本机估算。留空则从不询问。",
      },
      schema: { type: ["integer", "null"], minimum: 1, default: 200000 },
    },
    "spend.stopRunAboveTokens": {
      scope: "application",
      description: {
        en: "Stop a response that has used more tokens than this.\n\nIt ends before its next request and offers *Continue*. What is read from the cache doesn't count. Empty never stops.",
        zh: "停止所用 token 超过此数的回复。\n\n它在发出下一次请求之前结束，并提供“继续”。从缓存读取的部分不计入。留空则从不停止。",
      },
      schema: { type: ["integer", "null"], minimum: 1, default: null },
    },
    "receipts.nonceHeader": {
      scope: "application",
      isAdvanced: true,
      ignoreSync: true,
      description: {
        en: "Name of the request header that asks for a signed response.\n\nThe service doesn't publish it. Empty asks for none.",
        zh: "用于请求签名回复的请求头的名称。\n\n服务未公布该名称。留空则不请求。",
      },
      schema: {
        type: "string",
        pattern: "^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})?$",
        patternErrorMessage: {
          en: "A header name is one word of letters, digits and characters such as -.",
          zh: "请求头名称只能由字母、数字和 - 等符号组成，不能含空格。",
        },
        default: "",
      },
    },
    "files.enabled": {
      scope: "application",
      isAdvanced: true,
      description: {
        en: "Show a list of uploaded files, to delete them from the service.\n\nThe service offers neither uploads nor a list here, so you add the IDs you know.",
        zh: "显示已上传文件的列表，以便从服务中删除它们。\n\n服务在此不提供上传和列表，因此由你添加已知的 ID。",
      },
      schema: { type: "boolean", default: false },
    },
  },
});
