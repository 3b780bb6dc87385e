// The retry corpus: connections and streams that break before anything was visible, and after.
import { answer, head, json, reset, sse } from "../../support/fault-server.ts";
import { completedWith, created, delta, done, good } from "../../support/hello-reply.ts";
import {
  cutBy,
  failedAs,
  type RetrySequence,
  refuse,
  retrySequence,
  thrice,
} from "../../support/retry-sequence.ts";

const hel = delta("Hel");
const thinking = {
  type: "response.output_item.added",
  output_index: 0,
  item: { id: "rs_1", type: "reasoning", status: "in_progress", summary: [] },
};
const record = (code: string) => answer(200, sse(created, { type: "error", code, message: "It broke." }));
const failedWith = (code: string) =>
  answer(
    200,
    sse(created, { type: "response.failed", response: { status: "failed", error: { code, message: "x" } } }),
  );

const sequences: readonly RetrySequence[] = [
  { name: "a reset before the headers", answers: [reset(), good], ...done, waits: [500] },
  {
    name: "a close before the headers",
    answers: [(socket) => void socket.end(), good],
    ...done,
    waits: [500],
  },
  {
    name: "a reset inside the headers",
    answers: [reset("HTTP/1.1 200 OK\r\ncontent-ty"), good],
    ...done,
    waits: [500],
  },
  { name: "resets without end", answers: [reset()], ...failedAs("network"), waits: thrice },
  {
    name: "an answer that is not HTTP",
    answers: [(socket) => void socket.end("SSH-2.0-OpenSSH\r\n"), good],
    ...failedAs("protocol"),
  },
  { name: "an empty reply may have been generated", answers: [answer(200, "")], ...cutBy("protocol") },
  {
    name: "an end before anything was said",
    answers: [answer(200, sse(created)), good],
    ...cutBy("network"),
  },
  {
    name: "ends before anything was said, again and again",
    answers: [answer(200, sse(created))],
    ...cutBy("network"),
  },
  {
    name: "a reset before anything was said",
    answers: [reset(head(200) + sse(created)), good],
    ...cutBy("network"),
  },
  {
    name: "an end marker before anything was said",
    answers: [answer(200, sse(created, "[DONE]")), good],
    ...cutBy("network"),
  },
  {
    name: "an end after visible text",
    answers: [answer(200, sse(created, hel)), good],
    ...cutBy("network"),
    text: "Hel",
  },
  {
    name: "a rate limit after visible text",
    answers: [answer(200, sse(hel, { type: "error", code: "rate_limit_exceeded", message: "x" })), good],
    ...failedAs("busy"),
    text: "Hel",
  },
  {
    name: "a rate limit while the model thinks unseen",
    answers: [
      answer(200, sse(created, thinking, { type: "error", code: "rate_limit_exceeded", message: "x" })),
      good,
    ],
    ...failedAs("busy"),
  },
  {
    name: "a connection that ends while the model thinks unseen",
    answers: [answer(200, sse(created, thinking)), good],
    ...cutBy("network"),
  },
  {
    name: "a rate limit in the stream before text",
    answers: [record("rate_limit_exceeded"), good],
    ...done,
    waits: [500],
  },
  {
    name: "a server error in the stream before text",
    answers: [record("server_error"), good],
    ...done,
    waits: [500],
  },
  { name: "an unknown error in the stream", answers: [record("out_of_luck"), good], ...failedAs("server") },
  {
    name: "a refusal in the stream, before an answer, is what a 400 is",
    answers: [record("invalid_prompt"), good],
    ...failedAs("bad-request"),
  },
  {
    name: "a refusal in the stream, after visible text",
    answers: [answer(200, sse(created, hel, { type: "error", code: "invalid_prompt", message: "x" })), good],
    ...failedAs("server"),
    text: "Hel",
  },
  { name: "a quota in the stream", answers: [record("insufficient_quota"), good], ...failedAs("quota") },
  {
    name: "a failed response because of the rate",
    answers: [failedWith("rate_limit_exceeded"), good],
    ...done,
    waits: [500],
  },
  {
    name: "a failed response because of the server",
    answers: [failedWith("server_error"), good],
    ...failedAs("server"),
  },
  {
    name: "an error body with status 200",
    answers: [json(200, { error: { message: "x", code: "rate_limit_exceeded" } }), good],
    ...failedAs("busy"),
  },
  {
    name: "a web page with status 200",
    answers: [answer(200, "<html></html>", { "content-type": "text/html" }), good],
    ...failedAs("protocol"),
  },
  { name: "a damaged reply", answers: [answer(200, "data: {broken\n\n"), good], ...cutBy("protocol") },
  {
    name: "a body of no length",
    answers: [(socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"), good],
    ...cutBy("protocol"),
  },
  {
    name: "early hints before the reply",
    answers: [
      (socket, request) => {
        socket.write("HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n");
        void good(socket, request);
      },
    ],
    ...done,
  },
  {
    name: "comments alone, then an end",
    answers: [answer(200, ": ping\n\n: ping\n\n"), good],
    ...cutBy("network"),
  },
  {
    name: "a reset after reasoning was shown",
    answers: [reset(head(200) + sse({ type: "response.reasoning_text.delta", delta: "Hm." })), good],
    ...cutBy("network"),
  },
  {
    name: "a reset after a call was announced",
    answers: [
      reset(
        head(200) +
          sse({
            type: "response.output_item.added",
            item: { type: "function_call", call_id: "c", name: "x" },
          }),
      ),
      good,
    ],
    ...cutBy("network"),
  },
  {
    name: "half a first record, then a reset",
    answers: [reset(`${head(200)}data: {"type":"response.outp`), good],
    ...cutBy("network"),
  },
  {
    name: "a chunk whose length is none, before anything was said",
    answers: [
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
      good,
    ],
    ...cutBy("network"),
  },
  {
    name: "a chunk whose length is none, after text",
    answers: [
      (socket) => {
        const text = sse(hel);
        const size = Buffer.byteLength(text).toString(16);
        socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${text}\r\nzz\r\n`);
      },
      good,
    ],
    ...cutBy("network"),
    text: "Hel",
  },
  {
    name: "a body that ends before its Content-Length, after the end record",
    answers: [
      (socket) => {
        const text = sse(hel, completedWith("Hello"));
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length + 9}\r\n\r\n`);
        socket.end(text);
      },
    ],
    ...done,
  },
  {
    name: "an overload in the stream, nested, before text",
    answers: [answer(200, sse(created, { error: { type: "overloaded_error", message: "x" } })), good],
    ...done,
    waits: [500],
  },
  {
    name: "an overload in the stream that says when to come back",
    answers: [
      answer(200, sse({ type: "error", code: "rate_limit_exceeded", message: "Try again in 3s." })),
      good,
    ],
    ...done,
    waits: [3250],
  },
  {
    name: "a fault, then a reply that is cut",
    answers: [refuse(500), answer(200, sse(hel))],
    ...cutBy("network"),
    text: "Hel",
    waits: [500],
  },
];

for (const sequence of sequences) retrySequence(sequence);
