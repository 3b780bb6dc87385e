// What the service refuses on the Responses route, field by field.
import {
  call,
  custom,
  func,
  namespace,
  output,
  patch,
  patched,
  picture,
  strictFunc,
  user,
  withParts,
} from "./request-samples.ts";
import { type Row, testTable } from "./rule-table.ts";

const responses: readonly Row[] = [
  ["a plain question", {}, undefined],
  ["no model", { model: undefined }, "model"],
  ["a model that is no string", { model: 3 }, "model"],
  ["no input", { input: undefined }, "input"],
  ["an input of another type", { input: 7 }, "input"],
  ["an empty list of items", { input: [] }, "input"],
  ["an item that is no object", { input: ["Hello?"] }, "input[0]"],
  ["an item of an unknown type", { input: [{ type: "image_generation_call", id: "ig_1" }] }, "input[0].type"],
  ["a reference to a stored item", { input: [{ type: "item_reference", id: "msg_1" }] }, "input[0].type"],
  ["a message of an unknown role", { input: [{ ...user, role: "robot" }] }, "input[0].role"],
  ["a message without content", { input: [{ type: "message", role: "user" }] }, "input[0].content"],
  ["a message that leaves its type out", { input: [{ role: "user", content: "Hello?" }] }, undefined],
  [
    "messages of all roles",
    { input: ["user", "assistant", "system", "developer"].map((role) => ({ ...user, role })) },
    undefined,
  ],
  ["parts of text and image", withParts({ type: "input_text", text: "See:" }, picture), undefined],
  ["a part of an unknown type", withParts({ type: "input_audio" }), "input[0].content[0].type"],
  ["a part without text", withParts({ type: "input_text" }), "input[0].content[0].text"],
  [
    "the assistant's parts in the user's mouth",
    withParts({ type: "output_text", text: "Hi." }),
    "input[0].content[0].type",
  ],
  [
    "the user's parts in the assistant's mouth",
    { input: [{ ...user, role: "assistant", content: [{ type: "input_text", text: "Hi." }] }] },
    "input[0].content[0].type",
  ],
  [
    "parts of the assistant, said and refused",
    {
      input: [
        {
          ...user,
          role: "assistant",
          content: [
            { type: "output_text", text: "Hi." },
            { type: "refusal", refusal: "No." },
          ],
        },
      ],
    },
    undefined,
  ],
  [
    "an image of another scheme",
    withParts({ ...picture, image_url: "file:///etc/passwd" }),
    "input[0].content[0].image_url",
  ],
  [
    "a cache breakpoint in content",
    withParts({ type: "input_text", text: "a", prompt_cache_breakpoint: {} }),
    "input[0].content",
  ],
  ["the word of the breakpoint in text", { input: "What is prompt_cache_breakpoint?" }, undefined],
  ["a call with its output", { input: [user, call, output] }, undefined],
  ["a patch with its output", { input: [user, patch, patched] }, undefined],
  ["parallel calls answered in another order", { input: [user, call, patch, patched, output] }, undefined],
  ["a call without arguments", { input: [{ ...call, arguments: undefined }, output] }, "input[0].arguments"],
  [
    "a made-up call whose arguments are no JSON",
    { input: [{ ...call, arguments: '{"path":' }, output] },
    "input[0].arguments",
  ],
  [
    "such a call that came from the service",
    { input: [{ ...call, id: "fc_1", arguments: '{"path":' }, output] },
    undefined,
  ],
  [
    "a made-up call id of too many letters",
    {
      input: [
        { ...call, call_id: "c".repeat(65) },
        { ...output, call_id: "c".repeat(65) },
      ],
    },
    "input[0].call_id",
  ],
  [
    "a made-up call id with other letters",
    {
      input: [
        { ...call, call_id: "look:0" },
        { ...output, call_id: "look:0" },
      ],
    },
    "input[0].call_id",
  ],
  [
    "an odd call id that came from the service",
    {
      input: [
        { ...call, id: "fc_1", call_id: "look:0" },
        { ...output, call_id: "look:0" },
      ],
    },
    undefined,
  ],
  ["a call without output", { input: [user, call] }, "input"],
  ["an output without call", { input: [user, output] }, "input[1].call_id"],
  ["an output before its call", { input: [output, call] }, "input[0].call_id"],
  ["two outputs of one call", { input: [call, output, output] }, "input[2].call_id"],
  ["two calls of one id", { input: [call, call, output] }, "input[1].call_id"],
  [
    "an output of the wrong kind",
    { input: [patch, { ...patched, type: "function_call_output" }] },
    "input[1].type",
  ],
  [
    "an output that is an object",
    { input: [call, { ...output, output: { seen: true } }] },
    "input[1].output",
  ],
  [
    "an output in parts",
    { input: [call, { ...output, output: [{ type: "input_text", text: "seen" }] }] },
    undefined,
  ],
  ["reasoning without a summary", { input: [user, { type: "reasoning", id: "rs_1" }] }, "input[1].summary"],
  ["instructions of another type", { instructions: 1 }, "instructions"],
  ["stream of another type", { stream: "yes" }, "stream"],
  ["reasoning of another type", { reasoning: "high" }, "reasoning"],
  ["text of another type", { text: "json" }, "text"],
  ["a tool choice of another type", { tool_choice: 1 }, "tool_choice"],
  ["a tool choice that is not shown", { tool_choice: "required" }, undefined],
  ["the smallest limit", { max_output_tokens: 1 }, undefined],
  ["the largest limit", { max_output_tokens: 1_048_576 }, undefined],
  ["a limit of nothing", { max_output_tokens: 0 }, "max_output_tokens"],
  ["a limit above the largest", { max_output_tokens: 1_048_577 }, "max_output_tokens"],
  ["a limit that is no integer", { max_output_tokens: 1.5 }, "max_output_tokens"],
  ["cache options as shown", { prompt_cache_options: { mode: "implicit", ttl: "1h" } }, undefined],
  ["cache options of another type", { prompt_cache_options: "1h" }, "prompt_cache_options"],
  [
    "a cache mode that does not exist",
    { prompt_cache_options: { mode: "explicit" } },
    "prompt_cache_options.mode",
  ],
  [
    "a cache lifetime that does not exist",
    { prompt_cache_options: { ttl: "30m" } },
    "prompt_cache_options.ttl",
  ],
  ["an include that is no list", { include: "web_search_call.results" }, "include"],
  ["an include that is not shown", { include: ["reasoning.encrypted_content"] }, undefined],
  ["a stored response", { previous_response_id: "resp_1" }, "previous_response_id"],
  ["an unknown field", { client_metadata: {} }, undefined],
  ["tools of all four types", { tools: [func, custom, namespace, { type: "web_search" }] }, undefined],
  ["tools that are no list", { tools: {} }, "tools"],
  ["a tool of another type", { tools: [{ type: "code_interpreter" }] }, "tools[0].type"],
  ["a function without a name", { tools: [{ ...func, name: undefined }] }, "tools[0].name"],
  ["a function of a bad name", { tools: [{ ...func, name: "read file" }] }, "tools[0].name"],
  ["a function of too long a name", { tools: [{ ...func, name: "x".repeat(65) }] }, "tools[0].name"],
  [
    "parameters that are no schema of an object",
    { tools: [{ ...func, parameters: { type: "string" } }] },
    "tools[0].parameters",
  ],
  ["a strict function with a loose schema", { tools: [strictFunc] }, "tools[0].parameters"],
  ["two functions of one name", { tools: [func, func] }, "tools"],
  ["a custom tool of another name", { tools: [{ ...custom, name: "sql" }] }, "tools[0].name"],
  [
    "a custom tool described by something else than text",
    { tools: [{ ...custom, description: 1 }] },
    "tools[0].description",
  ],
  [
    "a custom tool with a grammar",
    { tools: [{ ...custom, format: { type: "grammar", syntax: "lark", definition: "start: x" } }] },
    undefined,
  ],
  [
    "a custom tool with a format of no kind",
    { tools: [{ ...custom, format: { type: "grammar" } }] },
    "tools[0].format",
  ],
  ["a namespace without a name", { tools: [{ ...namespace, name: undefined }] }, "tools[0].name"],
  [
    "a namespace described by something else than text",
    { tools: [{ ...namespace, description: 1 }] },
    "tools[0].description",
  ],
  ["an empty namespace", { tools: [{ ...namespace, tools: [] }] }, "tools[0].tools"],
  ["a namespace of other tools", { tools: [{ ...namespace, tools: [custom] }] }, "tools[0].tools[0].type"],
];

/** What only a strict service refuses, and whether a correct client may send it. */
testTable({
  path: "/v1/responses",
  profile: "standard",
  base: { model: "svc-k3", input: "Hello?" },
  rows: responses,
});
