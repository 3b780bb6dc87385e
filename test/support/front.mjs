// The small HTTP server that stands before VS Code's server build. It passes everything on, WebSockets included, and
// adds the three things a browser page cannot say for itself: which folders are extensions in development, where their
// test suite is, and a key that lets secrets survive a reload. It also takes telemetry addresses out of the page.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";

/** Answers { origin, close }. */
export async function startFront({ socketPath, userData, port = 0, extension, suite }) {
  const server = createServer((incoming, answer) => {
    const { pathname } = new URL(incoming.url ?? "/", "http://front");
    if (pathname === "/mint-key" && incoming.method === "POST") answer.end(secretsKey(userData));
    else if (pathname === "/") passPage(incoming, answer, { socketPath, extension, suite });
    else pass(incoming, answer, socketPath);
  });
  server.on("upgrade", (incoming, socket, head) => passUpgrade({ incoming, socket, head, socketPath }));
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** SecretStorage is encrypted with half a key of the page's and this half of ours. */
function secretsKey(userData) {
  const file = join(userData, "secrets-key");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}

const forward = (incoming, socketPath, headers = incoming.headers) =>
  request({ socketPath, method: incoming.method, path: incoming.url, headers });

function pass(incoming, answer, socketPath) {
  const outgoing = forward(incoming, socketPath);
  outgoing.on("response", (response) => {
    answer.writeHead(response.statusCode, response.headers);
    response.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  incoming.pipe(outgoing);
}

function passPage(incoming, answer, { socketPath, extension, suite }) {
  const headers = { ...incoming.headers };
  delete headers["accept-encoding"];
  const outgoing = forward(incoming, socketPath, headers);
  outgoing.on("response", async (response) => {
    const html = Buffer.concat(await response.toArray()).toString("utf8");
    const remote = (path) => ({ scheme: "vscode-remote", authority: incoming.headers.host, path });
    const page = html.replace(
      /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)/,
      (_, before, settings) => {
        const config = JSON.parse(settings.replaceAll("&quot;", '"'));
        const extensions = [extension ?? []].flat();
        if (extensions.length > 0) config.developmentOptions.extensions = extensions.map(remote);
        if (suite !== undefined) config.developmentOptions.extensionTestsPath = remote(suite);
        delete config.productConfiguration.telemetryEndpoint;
        delete config.productConfiguration.updateEndpoint;
        config.productConfiguration.enableTelemetry = false;
        return before + JSON.stringify(config).replaceAll('"', "&quot;");
      },
    );
    delete response.headers["transfer-encoding"];
    answer.writeHead(response.statusCode, { ...response.headers, "content-length": Buffer.byteLength(page) });
    answer.end(page);
  });
  outgoing.on("error", () => answer.destroy());
  outgoing.end();
}

function passUpgrade({ incoming, socket, head, socketPath }) {
  const outgoing = forward(incoming, socketPath);
  outgoing.on("upgrade", (response, upstream, first) => {
    const lines = response.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
    );
    socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
    upstream.write(head);
    socket.write(first);
    upstream.pipe(socket).pipe(upstream);
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  outgoing.on("response", () => socket.destroy());
  outgoing.on("error", () => socket.destroy());
  outgoing.end();
}
