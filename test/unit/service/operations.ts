// The four operations of a client, each by name, for what holds for all of them.
import type { Problem } from "../../../src/conversation/problem.ts";
import { finalReply } from "../../../src/service/reply.ts";
import type { ServiceClient } from "../../../src/service/service-client.ts";
import { never, user } from "./simulator-ground.ts";

const messages = [{ role: "user" as const, content: "Hi" }];

/** Each answers the problem it ended with. */
export const operations: Readonly<
  Record<
    "responses" | "chat" | "estimate" | "delete",
    (client: ServiceClient) => Promise<Problem | undefined>
  >
> = {
  responses: async (client) => (await finalReply(client.respond({ input: [user("Hi")] }, never))).problem,
  chat: async (client) => (await finalReply(client.chat({ model: "svc-k2.6", messages }, never))).problem,
  async estimate(client) {
    const outcome = await client.estimate({ model: "svc-k3", messages }, never);
    return "problem" in outcome ? outcome.problem : undefined;
  },
  delete: async (client) => (await client.deleteFile("file_1", never)).problem,
};
