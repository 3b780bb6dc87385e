// A service behind TLS, with a certificate of the private authority in test/fixtures/certificates.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sse } from "./fault-server.ts";

export const certificateFile = (name: string) =>
  join(process.cwd(), "test/fixtures/certificates", `${name}.pem`);
export const certificate = (name: string) => readFileSync(certificateFile(name), "utf8");
export const keyPair = (name: string) => ({ key: certificate(name), cert: certificate(name) });

export interface TlsService extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly string[];
}

/** Answers every request with the word "Hello". */
export async function startTlsService(name = "service"): Promise<TlsService> {
  const requests: string[] = [];
  const body = sse({
    type: "response.completed",
    response: {
      status: "completed",
      output: [{ id: "m", type: "message", content: [{ type: "output_text", text: "Hello" }] }],
    },
  });
  const server = createServer(keyPair(name), (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    response.setHeader("content-type", "text/event-stream");
    response.end(body);
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
