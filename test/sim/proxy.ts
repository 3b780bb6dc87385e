// The proxy of a company: it opens tunnels, takes plain requests, may want a login, may hang, and serves the PAC file
// that names it. Whatever host is asked for, it leads to one port of this machine; it remembers what it was told.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface CompanyProxy extends AsyncDisposable {
  readonly url: string;
  /** As it is in errors: host and port. */
  readonly name: string;
  readonly pacUrl: string;
  /** The hosts that tunnels were asked for, "host:port", and the addresses of plain requests. */
  readonly asked: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  /** Every byte that reached the proxy itself, outside of tunnels. */
  readonly heads: readonly string[];
  /** Connections that are open now. */
  readonly open: number;
}

export interface ProxyOptions {
  /** The only value of `proxy-authorization` that it takes. */
  readonly login?: string;
  /** The proxy itself speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** It says nothing to what it is asked, or opens tunnels that lead nowhere. */
  readonly hangs?: "asked" | "tunnel";
  /** What it says to every tunnel. */
  readonly refuses?: number;
  /** Hosts of which its PAC file says that they are reached directly. */
  readonly direct?: readonly string[];
  readonly port?: number;
}

/** As administrators write them: names of this house directly, all others through the proxy. */
export function pacFile(proxy: string, direct: readonly string[]): string {
  const rules = direct.map((host) => `  if (dnsDomainIs(host, "${host}")) return "DIRECT";`);
  return [
    "function FindProxyForURL(url, host) {",
    '  if (isPlainHostName(host) || shExpMatch(host, "127.*")) return "DIRECT";',
    ...rules,
    `  return "${proxy}";`,
    "}",
    "",
  ].join("\n");
}

export async function startProxy(target: number, options: ProxyOptions = {}): Promise<CompanyProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = options.tls === undefined ? createHttpServer() : createHttpsServer(options.tls);
  const note = (asking: IncomingMessage) => {
    asked.push(asking.url ?? "");
    authorizations.push(asking.headers["proxy-authorization"]);
    heads.push(JSON.stringify(asking.rawHeaders));
  };
  const isKnown = (asking: IncomingMessage) =>
    options.login === undefined || asking.headers["proxy-authorization"] === options.login;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  server.on("connect", (asking: IncomingMessage, client: Socket, head: Buffer) => {
    note(asking);
    client.on("error", () => {}).on("end", () => client.destroy());
    if (options.hangs === "asked") {
      // Else it would not notice that the other side has gone.
      client.resume();
      return;
    }
    if (options.refuses !== undefined) {
      client.end(`HTTP/1.1 ${options.refuses} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    if (!isKnown(asking)) {
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    if (options.hangs === "tunnel") {
      client.resume();
      client.write(established);
      return;
    }
    const upstream = connect(target, "127.0.0.1", () => {
      client.write(established);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => sockets.delete(upstream));
  });
  server.on("request", (asking: IncomingMessage, reply: ServerResponse) => {
    if (asking.url === "/proxy.pac") {
      reply.setHeader("content-type", "application/x-ns-proxy-autoconfig");
      reply.end(
        pacFile(`${options.tls === undefined ? "PROXY" : "HTTPS"} ${nameOf()}`, options.direct ?? []),
      );
      return;
    }
    note(asking);
    if (options.hangs !== undefined) return;
    if (!isKnown(asking)) {
      reply.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end();
      return;
    }
    forward(asking, reply, target);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const nameOf = () => `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `${options.tls === undefined ? "http" : "https"}://${nameOf()}`,
    name: nameOf(),
    pacUrl: `http://${nameOf()}/proxy.pac`,
    asked,
    authorizations,
    heads,
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const established = "HTTP/1.1 200 Connection established\r\n\r\n";
const challenge = 'proxy-authenticate: Basic realm="proxy"';

/** A plain request names the whole address, and what is the proxy's own stays here. */
function forward(asking: IncomingMessage, reply: ServerResponse, port: number): void {
  if (!URL.canParse(asking.url ?? "")) {
    reply.writeHead(400).end();
    return;
  }
  const { pathname, search } = new URL(asking.url ?? "");
  const { "proxy-authorization": _, "proxy-connection": __, ...headers } = asking.headers;
  const onward = request({
    host: "127.0.0.1",
    port,
    method: asking.method,
    path: pathname + search,
    headers,
  });
  onward.on("response", (said) => {
    reply.writeHead(said.statusCode ?? 502, said.headers);
    said.pipe(reply);
  });
  onward.on("error", () => reply.destroy());
  reply.on("close", () => onward.destroy());
  asking.pipe(onward);
}
