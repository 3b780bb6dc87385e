// A real CONNECT proxy: it tunnels to one address, whatever host is asked for, and remembers what it was told.
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** The hosts that tunnels were asked for, "host:port". */
  readonly asked: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  /** Every byte that reached the proxy itself, outside of tunnels. */
  readonly heads: readonly string[];
}

export interface ProxyOptions {
  /** The only value of `proxy-authorization` that opens a tunnel. */
  readonly login?: string;
  /** The proxy itself speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startConnectProxy(port: number, options: ProxyOptions = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = options.tls === undefined ? createHttpServer() : createHttpsServer(options.tls);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    const authorization = request.headers["proxy-authorization"];
    asked.push(request.url ?? "");
    authorizations.push(authorization);
    heads.push(JSON.stringify(request.rawHeaders));
    client.on("error", () => {});
    if (options.login !== undefined && authorization !== options.login) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n");
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy()).on("close", () => sockets.delete(upstream));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? "http" : "https"}://localhost:${own}`,
    asked,
    authorizations,
    heads,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
