import { group } from "./declaration.ts";

/** A field of requests that is no field of the interface; empty for none. */
const nameOfField = {
  type: "string",
  pattern:
    "^$|^(?!(model|input|instructions|stream|max_output_tokens|reasoning|text|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls|__proto__)$)[A-Za-z_][\\w-]{0,63}$",
  patternErrorMessage: {
    en: "A field name has at most 64 letters, digits, “_” or “-”, and can't be a field of the interface itself.",
    zh: "字段名称最多 64 个字母、数字、“_”或“-”，且不能是接口自身的字段。",
  },
} as const;

export const connectionSettings = group({
  title: { en: "Connection", zh: "连接" },
  settings: {
    baseUrl: {
      scope: "application",
      isInReadme: true,
      ignoreSync: true,
      description: {
        en: "URL of the inference service, such as `https://inference.example.com`.\n\nUse `https:`; `http:` works only on this computer or, once confirmed, in a private network. Read from your user settings only: a workspace can't change where your key is sent.",
        zh: "推理服务的 URL，例如 `https://inference.example.com`。\n\n请使用 `https:`；`http:` 仅可用于此计算机，或经确认后用于专用网络。仅从你的用户设置读取：工作区无法改变密钥的发送目标。",
      },
      schema: {
        type: "string",
        pattern:
          "^\\s*(https://[^\\s?#@]+|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d+)?(/[^\\s?#@]*)?)?\\s*$",
        patternErrorMessage: {
          en: "Use https:// (http:// only on this computer or in a private network), without a user name, ? or #.",
          zh: "请使用 https://（http:// 仅可用于此计算机或专用网络），不含用户名、? 或 #。",
        },
        default: "",
      },
    },
    "service.profile": {
      scope: "application",
      isAdvanced: true,
      ignoreSync: true,
      description: {
        en: "Overrides for a service that differs from its interface.\n\nLeave it empty unless the connection check says otherwise. Detected capabilities apply to everything that isn't set.",
        zh: "服务与接口不一致时的覆盖设置。\n\n除非连接检查另有提示，否则请留空。未设置的部分采用检测到的能力。",
      },
      schema: {
        type: "object",
        additionalProperties: false,
        properties: {
          stream: {
            type: "string",
            enum: ["auto", "on", "off"],
            enumDescriptions: [
              { en: "As a stream, unless the service refuses it.", zh: "使用流式，除非服务拒绝。" },
              { en: "Always as a stream.", zh: "始终使用流式。" },
              { en: "Never: a response is shown once it is complete.", zh: "从不使用：回复完成后才显示。" },
            ],
            markdownDescription: {
              en: "Whether responses are requested as a stream. By default, unless the service refuses it.",
              zh: "是否以流式方式请求回复。默认使用流式，除非服务拒绝。",
            },
          },
          cacheKeyField: {
            ...nameOfField,
            default: "prompt_cache_key",
            markdownDescription: {
              en: "Request field for the random conversation ID.\n\nIt lets the service find its cache. Empty sends none.",
              zh: "携带对话随机 ID 的请求字段。\n\n服务借此找到对应的缓存。留空则不发送。",
            },
          },
          userIdField: {
            ...nameOfField,
            default: "safety_identifier",
            markdownDescription: {
              en: "Request field for a random, hashed ID of this installation. Empty sends none.",
              zh: "携带此安装的随机散列 ID 的请求字段。留空则不发送。",
            },
          },
          namespaces: {
            type: "string",
            enum: ["namespace", "flatten"],
            enumDescriptions: [
              { en: "Always as a namespace.", zh: "始终作为命名空间。" },
              { en: "Always as single functions.", zh: "始终作为单个函数。" },
            ],
            markdownDescription: {
              en: "How tools that belong together are sent. By default as a namespace, unless the service refuses it.",
              zh: "如何发送同属一组的工具。默认作为命名空间，除非服务拒绝。",
            },
          },
          patchTool: {
            type: "string",
            enum: ["custom-grammar", "custom-text", "function", "off"],
            enumDescriptions: [
              { en: "As a custom tool with its grammar.", zh: "作为带语法的自定义工具。" },
              { en: "As a custom tool without a grammar.", zh: "作为不带语法的自定义工具。" },
              { en: "As a function.", zh: "作为函数。" },
              {
                en: "Not at all: the model can't propose edits with it.",
                zh: "不发送：模型无法用它提议编辑。",
              },
            ],
            markdownDescription: {
              en: "How the patch tool is sent. By default as a custom tool with its grammar, unless the service refuses it.",
              zh: "如何发送补丁工具。默认作为带语法的自定义工具，除非服务拒绝。",
            },
          },
          streamUsage: {
            type: "boolean",
            markdownDescription: {
              en: "Whether token usage is requested in streams of chat models. By default, unless the service refuses it.",
              zh: "是否在聊天模型的流中请求 token 用量。默认请求，除非服务拒绝。",
            },
          },
          extraHeaders: {
            type: "object",
            propertyNames: {
              pattern:
                "^(?!([Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]|[Pp][Rr][Oo][Xx][Yy]-.*|[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-.*|[Aa][Cc][Cc][Ee][Pp][Tt].*|[Hh][Oo][Ss][Tt]|[Cc][Oo][Oo][Kk][Ii][Ee]|[Cc][Oo][Nn][Nn][Ee][Cc][Tt][Ii][Oo][Nn]|[Kk][Ee][Ee][Pp]-[Aa][Ll][Ii][Vv][Ee]|[Tt][Ee]|[Tt][Rr][Aa][Ii][Ll][Ee][Rr]|[Tt][Rr][Aa][Nn][Ss][Ff][Ee][Rr]-[Ee][Nn][Cc][Oo][Dd][Ii][Nn][Gg]|[Uu][Pp][Gg][Rr][Aa][Dd][Ee]|[Ee][Xx][Pp][Ee][Cc][Tt]|[Uu][Ss][Ee][Rr]-[Aa][Gg][Ee][Nn][Tt]|[Oo][Rr][Ii][Gg][Ii][Nn]|[Rr][Ee][Ff][Ee][Rr][Ee][Rr]|[Vv][Ii][Aa]|[Ff][Oo][Rr][Ww][Aa][Rr][Dd][Ee][Dd]|[Xx]-[Ff][Oo][Rr][Ww][Aa][Rr][Dd][Ee][Dd]-.*)$)[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$",
            },
            additionalProperties: { type: "string", pattern: "^[!-~]([ -~]{0,4094}[!-~])?$" },
            markdownDescription: {
              en: "Headers for every request, such as those of a gateway. Never `Authorization`.",
              zh: "每个请求附带的请求头，例如网关所需的请求头。绝不能是 `Authorization`。",
            },
          },
          extraBody: {
            type: "object",
            additionalProperties: false,
            properties: {
              responses: {
                type: "object",
                propertyNames: {
                  pattern:
                    "^(?!(model|input|instructions|stream|max_output_tokens|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls|__proto__)$)[A-Za-z_][\\w-]{0,63}$",
                },
                properties: { reasoning: { type: "object", propertyNames: { pattern: "^(?!effort$)" } } },
              },
              chat: {
                type: "object",
                propertyNames: {
                  pattern:
                    "^(?!(model|messages|stream|stream_options|n|prompt_cache_breakpoint|__proto__)$)[A-Za-z_][\\w-]{0,63}$",
                },
              },
            },
            markdownDescription: {
              en: "Fields added to every request, for `responses` and for `chat`. Fields of the interface can't be replaced; only `text`, and all of `reasoning` but its effort, can be set here.",
              zh: "为 `responses` 和 `chat` 的每个请求添加的字段。不能替换接口自身的字段；此处只能设置 `text`，以及 `reasoning` 中除强度以外的内容。",
            },
          },
          timeouts: {
            type: "object",
            additionalProperties: false,
            properties: {
              connectSeconds: {
                type: "integer",
                minimum: 1,
                maximum: 86400,
                default: 30,
                markdownDescription: {
                  en: "Time to connect, including the proxy.",
                  zh: "建立连接的时限，包括代理。",
                },
              },
              firstByteSeconds: {
                type: "integer",
                minimum: 1,
                maximum: 86400,
                default: 300,
                markdownDescription: {
                  en: "Time until a streamed response begins.",
                  zh: "流式回复开始前的等待时限。",
                },
              },
              unstreamedSeconds: {
                type: "integer",
                minimum: 1,
                maximum: 86400,
                default: 1800,
                markdownDescription: {
                  en: "Time until a response that isn't streamed arrives.",
                  zh: "非流式回复到达前的等待时限。",
                },
              },
              idleSeconds: {
                type: "integer",
                minimum: 1,
                maximum: 86400,
                default: 300,
                markdownDescription: {
                  en: "Longest silence within a response.",
                  zh: "回复过程中允许的最长无数据时间。",
                },
              },
            },
            markdownDescription: {
              en: "Timeouts in seconds. There is no limit on a whole response.",
              zh: "超时时间（秒）。整个回复的时长没有限制。",
            },
          },
        },
        default: {},
      },
    },
  },
});
