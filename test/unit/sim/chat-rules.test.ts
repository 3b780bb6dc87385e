import { type Row, testTable } from "./rule-table.ts";

const chatUser = { role: "user", content: "Hello?" };
const chatPicture = { type: "image_url", image_url: { url: "https://pictures.example/a.png" } };
const asked = {
  role: "assistant",
  tool_calls: [{ id: "look:0", type: "function", function: { name: "look", arguments: "{}" } }],
};

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
  ["a partial of another type", { messages: [{ ...chatUser, partial: "yes" }] }, "messages[0].partial"],
];

const chat: readonly Row[] = [
  ...messages,
  ["a stream of another type", { stream: 1 }, "stream"],
  ["stream options without a stream", { stream_options: { include_usage: true } }, "stream_options"],
  [
    "a tool call with its result",
    { messages: [chatUser, asked, { role: "tool", tool_call_id: "look:0", content: "seen" }] },
    undefined,
  ],
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
];

const completions = "/v1/chat/completions";
const estimate = "/v1/tokenizers/estimate-token-count";
const asks = { model: "svc-k2.6", messages: [chatUser] };
testTable({ path: completions, profile: "standard", base: asks, rows: chat });
testTable({ path: completions, profile: "strict", base: asks, rows: strictMessages });
testTable({ path: estimate, profile: "standard", base: asks, rows: messages });
testTable({ path: estimate, profile: "strict", base: asks, rows: strictMessages });
