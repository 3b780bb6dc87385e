// A simulator and a client that speaks to it, for tests of what is built on a client. Both are closed with the test.
import {
  type ClientDeps,
  createServiceClient,
  type ServiceClient,
} from "../../src/service/service-client.ts";
import { silentLog } from "../../src/util/log.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../sim/simulator.ts";

interface Served {
  readonly url: string;
  readonly key: string;
}

export const clientOf = ({ url, key }: Served, deps: Partial<ClientDeps> = {}): ServiceClient =>
  createServiceClient({
    connection: async () => ({ baseUrl: url, key }),
    settings: () => ({}),
    log: silentLog,
    ...deps,
  });

/** Waiting between two tries takes no time. */
export async function simulatedClient(
  t: { after(run: () => Promise<void>): void },
  options: SimulatorOptions = {},
  deps: Partial<ClientDeps> = {},
): Promise<{ readonly sim: Simulator; readonly client: ServiceClient }> {
  const sim = await startSimulator(options);
  const client = clientOf(sim, { wait: async () => {}, ...deps });
  t.after(async () => {
    client.dispose();
    await sim.close();
  });
  return { sim, client };
}
