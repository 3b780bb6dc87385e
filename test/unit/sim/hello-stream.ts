// A stream to play faults on, and the same stream without any.
import { after, before, beforeEach } from "node:test";
import { text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { dechunked, observe } from "./observe.ts";

export const hello = text("Grüße, 世界.");
export const isComplete = (bytes: Buffer): boolean => bytes.includes("\r\n0\r\n\r\n");
export const events = (bytes: Buffer): number => bytes.toString("utf8").split("\n\n").length - 1;

export const post = ({ key }: Simulator) => ({
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ model: "svc-k3", input: "Hello?", stream: true }),
});

/** Before each test: the undisturbed stream to compare with. Serial numbers differ, lengths do not. */
export function playHello(take: (sim: Simulator, whole: Buffer) => void): void {
  let sim: Simulator;
  before(async () => {
    sim = await startSimulator({ now: () => 1_790_000_000_000 });
  });
  after(() => sim.close());
  beforeEach(async () => {
    sim.reply(hello);
    take(sim, dechunked((await observe(sim, isComplete)).body).payload);
  });
}
