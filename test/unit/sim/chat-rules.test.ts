import { type Row, testTable } from "./rule-table.ts";

const chatUser = { role: "user", content: "Hello?" };
const chatPicture = { type: "image_url", image_url: { url: "https://pictures.example/a.png" } };
const asked = {
  role: "assistant",
  tool_calls: [{ id: "look:0", type: "function", function: { name: "look", arguments: "{}" } }],
};

const seen = { role: "tool", tool_call_id: "look:0", content: "seen" };
const look = { type: "function", function: { name: "look", parameters: { type: "object" } } };
const [made] = asked.tool_calls;

const messages: readonly Row[] = [
  ["a plain question", {}, undefined],
  ["no model", { model: undefined }, "model"],
  ["no messages", { messages: undefined }, "messages"],
  ["an empty list of messages", { messages: [] }, "messages"],
  ["a message of an unknown role", { messages: [{ role: "developer", content: "x" }] }, "messages[0].role"],
  ["empty content", { messages: [{ role: "user", content: "" }] }, "messages[0].content"],
  ["no content", { messages: [{ role: "user" }] }, "messages[0].content"],
  ["an empty list of parts", { messages: [{ role: "user", content: [] }] }, "messages[0].content"],
  [
    "an empty part of text",
    { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
    "messages[0].content[0].text",
  ],
  [
    "parts of text and image",
    { messages: [{ role: "user", content: [{ type: "text", text: "See:" }, chatPicture] }] },
    undefined,
  ],
  [
    "an image of another scheme",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "blob:x" } }] }] },
    "messages[0].content[0].image_url.url",
  ],
  [
    "a name and no name",
    {
      messages: [
        { ...chatUser, name: "Ann" },
        { ...chatUser, name: null },
      ],
    },
    undefined,
  ],
  ["a name of another type", { messages: [{ ...chatUser, name: 4 }] }, "messages[0].name"],
  [
    "a partial message",
    { messages: [chatUser, { role: "assistant", content: "Well", partial: true }] },
    undefined,
  ],
  ["a partial message of the user", { messages: [{ ...chatUser, partial: true }] }, "messages[0].partial"],
  [
    "a partial message before the last",
    { messages: [{ role: "assistant", content: "Well", partial: true }, chatUser] },
    "messages[0].partial",
  ],
  ["a partial of another type", { messages: [{ ...chatUser, partial: "yes" }] }, "messages[0].partial"],
];

const chat: readonly Row[] = [
  ...messages,
  ["a stream of another type", { stream: 1 }, "stream"],
  ["stream options of another type", { stream: true, stream_options: "usage" }, "stream_options"],
  ["stream options without a stream", { stream_options: { include_usage: true } }, "stream_options"],
  ["a tool call with its result", { messages: [chatUser, asked, seen, chatUser] }, undefined],
  ["a tool call without its result", { messages: [chatUser, asked] }, "messages"],
  ["a tool call whose result comes too late", { messages: [asked, chatUser, seen] }, "messages[1]"],
  ["two results of one call", { messages: [asked, seen, seen] }, "messages[2].tool_call_id"],
  [
    "a result for no call",
    { messages: [asked, { role: "tool", content: "seen" }] },
    "messages[1].tool_call_id",
  ],
  [
    "two calls of one id",
    { messages: [{ ...asked, tool_calls: [made, made] }, seen] },
    "messages[0].tool_calls",
  ],
  [
    "a call without an id",
    { messages: [{ ...asked, tool_calls: [{ ...made, id: undefined }] }, seen] },
    "messages[0].tool_calls[0].id",
  ],
  [
    "a call of another type",
    { messages: [{ ...asked, tool_calls: [{ ...made, type: "custom" }] }, seen] },
    "messages[0].tool_calls[0].type",
  ],
  [
    "a call without arguments",
    { messages: [{ ...asked, tool_calls: [{ ...made, function: { name: "look" } }] }, seen] },
    "messages[0].tool_calls[0].function.arguments",
  ],
  ["tools as functions, and a choice", { tools: [look], tool_choice: "auto" }, undefined],
  ["tools that are no list", { tools: look }, "tools"],
  ["a tool in the shape of Responses", { tools: [{ type: "function", name: "look" }] }, "tools[0].function"],
  ["a tool of another type", { tools: [{ type: "web_search" }] }, "tools[0].type"],
  [
    "a function of a bad name",
    { tools: [{ ...look, function: { name: "look around" } }] },
    "tools[0].function.name",
  ],
  ["a choice that does not exist", { tool_choice: "any" }, "tool_choice"],
  ["a limit", { max_completion_tokens: 1 }, undefined],
  ["a limit of nothing", { max_completion_tokens: 0 }, "max_completion_tokens"],
  ["a limit by its older name that is no integer", { max_tokens: 1.5 }, "max_tokens"],
  ["a limit under two names", { max_tokens: 9, max_completion_tokens: 9 }, "max_tokens"],
  [
    "a result without its call",
    { messages: [chatUser, { role: "tool", tool_call_id: "x", content: "seen" }] },
    "messages[1].tool_call_id",
  ],
];

const strictMessages: readonly Row[] = [
  ["a plain question", {}, undefined],
  ["a field that is not shown", { temperature: 1 }, "temperature"],
  [
    "a field on a message that is not shown",
    { messages: [{ ...chatUser, cache: true }] },
    "messages[0].cache",
  ],
  [
    "a field on a part that is not shown",
    { messages: [{ role: "user", content: [{ type: "text", text: "See:", cache: true }] }] },
    "messages[0].content[0].cache",
  ],
  [
    "a field on an image that is not shown",
    { messages: [{ role: "user", content: [{ ...chatPicture, detail: "low" }] }] },
    "messages[0].content[0].detail",
  ],
  [
    "parts of text and image as shown",
    { messages: [{ role: "user", content: [{ type: "text", text: "See:" }, chatPicture] }] },
    undefined,
  ],
];

const completions = "/v1/chat/completions";
const estimate = "/v1/tokenizers/estimate-token-count";
const asks = { model: "svc-k2.6", messages: [chatUser] };
testTable({ path: completions, profile: "standard", base: asks, rows: chat });
testTable({ path: completions, profile: "strict", base: asks, rows: strictMessages });
testTable({ path: estimate, profile: "standard", base: asks, rows: messages });
testTable({ path: estimate, profile: "strict", base: asks, rows: strictMessages });
