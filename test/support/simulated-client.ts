// A simulator and a client that speaks to it, for tests of what is built on a client. Both are closed with the test.
import {
  type ClientDeps,
  createServiceClient,
  type ServiceClient,
} from "../../src/service/service-client.ts";
import { silentLog } from "../../src/util/log.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../sim/simulator.ts";

/** Waiting between two tries takes no time. */
export async function simulatedClient(
  t: { after(run: () => Promise<void>): void },
  options: SimulatorOptions = {},
  deps: Partial<ClientDeps> = {},
): Promise<{ readonly sim: Simulator; readonly client: ServiceClient }> {
  const sim = await startSimulator(options);
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    log: silentLog,
    wait: async () => {},
    ...deps,
  });
  t.after(async () => {
    client.dispose();
    await sim.close();
  });
  return { sim, client };
}
