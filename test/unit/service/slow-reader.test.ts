// Whoever reads a reply more slowly than it comes holds the connection back, and gets all of it: also where the connection
// ends with the reply, when nothing more will ever come on it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as round } from "node:timers/promises";
import { type ReplyBody, StoppedByUser, send } from "../../../src/service/internal/http.ts";
import { Network } from "../../../src/service/internal/http-agent.ts";

/** So many times whatever has come is looked at. */
async function rounds(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) await round();
}

const open = () => {
  const network = new Network({});
  return Object.assign(network, { [Symbol.dispose]: () => network.dispose() });
};

const settings = { connectSeconds: 10, proxy: {}, certificates: {} };
const bodyOf = (bytes: number) => Buffer.alloc(bytes, "0123456789abcdef\n");
const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const framings = {
  "ends with its connection": (body: Buffer) => [Buffer.from("\r\n"), body],
  "says its length": (body: Buffer) => [Buffer.from(`content-length: ${body.length}\r\n\r\n`), body],
  "comes in pieces": (body: Buffer) => [
    Buffer.from("transfer-encoding: chunked\r\n\r\n"),
    ...Array.from({ length: Math.ceil(body.length / 65_536) }, (_, at) => {
      const piece = body.subarray(at * 65_536, (at + 1) * 65_536);
      return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
    }),
    Buffer.from("0\r\n\r\n"),
  ],
};

async function serve(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/`), [Symbol.dispose]: () => void server.close() };
}

const ask = (network: Network, url: URL) =>
  send(
    {
      ...{ method: "POST", url, headers: {}, body: Buffer.from("{}"), digest: false },
      ...{ connectSeconds: 10, firstByteMilliseconds: 0, idleMilliseconds: 0 },
    },
    network,
    settings,
    new AbortController().signal,
  );

async function read(body: ReplyBody): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = await body.next();
    if (piece === "end") return Buffer.concat(pieces);
    if (piece !== "late") pieces.push(piece);
  }
}

for (const [what, framed] of Object.entries(framings))
  for (const connection of ["close", "keep-alive"])
    test(`a reply that ${what} (${connection}) is read completely by a reader that starts after its end`, async () => {
      using network = open();
      // The last of them fill what is kept ahead to the byte, as the library hands on what it reads.
      for (const bytes of [262_144, 262_143, 262_145, 300_000, 1_000_000]) {
        let sent: Promise<unknown> | undefined;
        using service = await serve((socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nconnection: ${connection}\r\n`);
          for (const piece of framed(bodyOf(bytes))) socket.write(piece);
          sent = once(socket, "close");
          socket.end();
        });
        const { body } = await ask(network, service.url);
        await rounds(200);
        const received = await read(body);
        assert.equal(digest(received), digest(bodyOf(bytes)), `${bytes} bytes`);
        await sent;
      }
    });

test("a reply that is not read applies backpressure to the service", async () => {
  using network = open();
  const body = bodyOf(64 * 2 ** 20);
  let answering: Socket | undefined;
  using service = await serve((socket) => {
    answering = socket;
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.end(body);
  });
  const reply = await ask(network, service.url);
  await rounds(5000);
  assert.equal(answering?.writableLength, body.length);
  assert.equal(digest(await read(reply.body)), digest(body));
});

test("a closed reply returns none of the data received before", async () => {
  using network = open();
  using service = await serve((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsome of it");
  });
  const { body } = await ask(network, service.url);
  await rounds(200);
  body.close();
  await assert.rejects(body.next(), StoppedByUser);
});

test("a connection is reused after a slow read, and a reply closed unread does not affect the next request", async () => {
  using network = open();
  const connections = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    connections.add(request.socket);
    request.resume().on("end", () => response.end(bodyOf(1_000_000)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/`);
  for (const number of [1, 2, 3]) {
    const { body } = await ask(network, url);
    await rounds(200);
    assert.equal(digest(await read(body)), digest(bodyOf(1_000_000)), `reply ${number}`);
    // The library says in the next round that the connection is free.
    await rounds(2);
  }
  assert.equal(connections.size, 1);
  const { body: left } = await ask(network, url);
  await rounds(200);
  left.close();
  assert.equal(digest(await read((await ask(network, url)).body)), digest(bodyOf(1_000_000)));
  server.closeAllConnections();
  server.close();
});
