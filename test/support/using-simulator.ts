// The simulator for `await using`: it is closed however the test ends.
import { type Simulator, type SimulatorOptions, startSimulator } from "../sim/simulator.ts";

export async function usingSimulator(options: SimulatorOptions = {}): Promise<Simulator & AsyncDisposable> {
  const sim = await startSimulator(options);
  return Object.assign(sim, { [Symbol.asyncDispose]: () => sim.close() });
}
