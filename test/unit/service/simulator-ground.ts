import type { Capabilities } from "../../../src/service/capabilities.ts";
import type { Reply, ReplyEvent } from "../../../src/service/reply.ts";
import { createServiceClient, type ServiceClient } from "../../../src/service/service-client.ts";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { silentLog } from "../../../src/util/log.ts";
import type { Profile, ProfileName } from "../../sim/profiles.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../sim/simulator.ts";

export const never = new AbortController().signal;
export const user = (content: string) => JSON.stringify({ type: "message", role: "user", content });
export const patchTool = JSON.stringify({
  type: "custom",
  name: "apply_patch",
  description: "Edits files.",
  format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
});
export const searchIssues = {
  type: "function",
  name: "search",
  description: "x",
  strict: false,
  parameters: { type: "object", properties: {} },
};
export const namespace = JSON.stringify({
  type: "namespace",
  name: "tracker",
  description: "x",
  tools: [searchIssues],
});
export interface Ground extends AsyncDisposable {
  readonly sim: Simulator;
  readonly client: ServiceClient;
  readonly saved: Map<string, Capabilities>;
}

export interface GroundOptions {
  /** What was found of the service before. */
  readonly saved?: Map<string, Capabilities>;
  readonly settings?: ClientSettings;
  readonly key?: string | undefined;
  /** Answers what is not scripted. */
  readonly assistant?: SimulatorOptions["assistant"];
}

/** By default every optional field is sent. */
const everyField: ClientSettings = {
  userId: "u".repeat(64),
  extraBody: { responses: { text: { format: { type: "text" } } } },
};

export async function ground(
  profile: ProfileName | Profile,
  { saved = new Map(), settings = everyField, key, assistant }: GroundOptions = {},
): Promise<Ground> {
  const sim = await startSimulator({ profile, ...(assistant && { assistant }) });
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: key ?? sim.key }),
    settings: () => settings,
    capabilities: {
      load: async (origin) => saved.get(origin),
      save: async (origin, found) => void saved.set(origin, found),
    },
    log: silentLog,
    wait: async () => {},
    environment: {},
  });
  return {
    sim,
    client,
    saved,
    async [Symbol.asyncDispose]() {
      client.dispose();
      await sim.close();
    },
  };
}

export async function reply(
  events: AsyncGenerator<ReplyEvent, void>,
): Promise<{ reply: Reply; adapted: string[] }> {
  const adapted: string[] = [];
  for await (const event of events) {
    if (event.type === "note") adapted.push(event.field);
    if (event.type === "ended") return { reply: event.reply, adapted };
  }
  throw new Error("A reply has one last event.");
}
