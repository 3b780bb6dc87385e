// One request to the service and the records of its stream. The only file that knows undici.
import { createParser } from "eventsource-parser";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";

interface Post {
  readonly url: string;
  readonly key: string;
  readonly body: string;
}

const agent = new Agent();

export async function* post({ url, key, body }: Post, signal: AbortSignal): AsyncGenerator<string, void> {
  const { origin, pathname: path } = new URL(url);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const reply = await request.call(agent, { origin, path, method: "POST", headers, body, signal });
  if (reply.statusCode !== 200) {
    reply.body.destroy();
    throw new Error(`The service answered with ${reply.statusCode}.`);
  }
  const records: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void records.push(data) });
  const decoder = new TextDecoder();
  for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* records.splice(0);
  }
}
