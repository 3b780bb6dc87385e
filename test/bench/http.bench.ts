// Prints what the way to the service costs, ours beside node:https and Node's fetch in one run on one machine
// (performance.md §4): the first byte on a warm connection, and CPU for each event of a stream that comes event by
// event. All over TLS on loopback; the server is a process of its own. It fails nothing.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { send } from "../../src/service/internal/http.ts";
import { Network } from "../../src/service/internal/http-agent.ts";

const certificates = join(process.cwd(), "test/fixtures/certificates");
const eventsPerReply = 5_000;
const event =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"words "}\n\n';

/** GET / answers at once with one event; /stream with many, each in a packet of its own turn of the event loop. */
async function serve(): Promise<void> {
  const pair = readFileSync(join(certificates, "service.pem"));
  const server = createServer({ key: pair, cert: pair, keepAlive: true }, async (incoming, answer) => {
    incoming.resume();
    answer.setHeader("content-type", "text/event-stream");
    const count = incoming.url === "/stream" ? eventsPerReply : 1;
    for (let at = 0; at < count; at++) {
      answer.write(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    answer.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

interface Client {
  readonly name: string;
  /** Milliseconds to the first byte; the whole body is read. */
  get(url: string): Promise<number>;
}

const sent = Buffer.from('{"model":"svc-k3","input":"Hi"}');
const headers = { accept: "text/event-stream", "content-type": "application/json" };
const ca = readFileSync(join(certificates, "authority.pem"), "utf8");

function ours(): Client {
  const network = new Network({});
  const settings = { connectSeconds: 30, proxy: {}, certificates: { extra: [ca] } };
  const never = new AbortController().signal;
  const limits = { connectSeconds: 30, firstByteMilliseconds: 300_000, idleMilliseconds: 300_000 };
  return {
    name: "ours",
    async get(url) {
      const target = new URL(url);
      const started = performance.now();
      const exchange = await send(
        { method: "POST", url: target, headers, body: sent, ...limits, digest: false },
        network,
        settings,
        never,
      );
      let first = 0;
      for (;;) {
        const chunk = await exchange.body.next();
        first ||= performance.now() - started;
        if (chunk === "end") return first;
      }
    },
  };
}

function nodeHttps(): Client {
  const agent = new Agent({ keepAlive: true, ca });
  return {
    name: "node:https",
    get: (url) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        let first = 0;
        const outgoing = request(url, { agent, method: "POST", headers }, (incoming) => {
          incoming.on("data", () => {
            first ||= performance.now() - started;
          });
          incoming.on("end", () => resolve(first));
        });
        outgoing.on("error", reject);
        outgoing.end(sent);
      }),
  };
}

/** It trusts the authority by NODE_EXTRA_CA_CERTS, which is read when a process starts. */
const nodeFetch: Client = {
  name: "fetch",
  async get(url) {
    const started = performance.now();
    const { body } = await fetch(url, { method: "POST", headers, body: sent });
    let first = 0;
    for await (const _ of body ?? []) first ||= performance.now() - started;
    return first;
  },
};

async function warmFirstByte(client: Client, url: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 400; at++) times.push(await client.get(url));
  return times.slice(100).sort((one, other) => one - other)[150] ?? 0;
}

/** Microseconds for each event, best of several replies. */
async function cpuPerEvent(client: Client, url: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 8; at++) {
    const before = process.cpuUsage();
    await client.get(url);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / eventsPerReply);
  }
  return best;
}

async function measure(): Promise<void> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.url), ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const url = `https://localhost:${port}`;
  const clients = [nodeHttps(), ours(), nodeFetch];
  const first = new Map<string, number>();
  const cpu = new Map<string, number>();
  // In turns, so that a machine that is busy for a while is busy for all of them.
  for (let round = 0; round < 3; round++) {
    for (const client of clients) {
      const [byte, work] = [await warmFirstByte(client, url), await cpuPerEvent(client, `${url}/stream`)];
      first.set(client.name, Math.min(byte, first.get(client.name) ?? byte));
      cpu.set(client.name, Math.min(work, cpu.get(client.name) ?? work));
    }
  }
  console.log(`\nHTTP over TLS; Node ${process.version}, ${cpus()[0]?.model} × ${cpus().length}\n`);
  console.log("client       first byte, ms   ratio   CPU per event, µs   ratio");
  for (const { name } of clients) {
    const ratio = (values: ReadonlyMap<string, number>) =>
      ((values.get(name) ?? 0) / (values.get("node:https") ?? 1)).toFixed(2).padStart(8);
    const cell = (value: number | undefined, width: number) => (value ?? 0).toFixed(2).padStart(width);
    console.log(
      `${name.padEnd(12)}${cell(first.get(name), 15)}${ratio(first)}${cell(cpu.get(name), 20)}${ratio(cpu)}`,
    );
  }
  console.log("goals: first byte at most 1.15, CPU per event at most 1.2\n");
  server.kill();
  process.exit();
}

/** Again with the authority in the environment, unless it is there. */
async function main(): Promise<void> {
  if (process.argv[2] === "serve") return serve();
  const file = join(certificates, "authority.pem");
  if (process.env["NODE_EXTRA_CA_CERTS"] === file) return measure();
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
  const [code] = await once(fork(fileURLToPath(import.meta.url), { env }), "exit");
  process.exitCode = Number(code ?? 1);
}

await main();
