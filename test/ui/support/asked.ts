// What a test has asked of the service, without the one count by which a new key is tested.
import type { Simulator } from "../../sim/simulator.ts";

export const asked = ({ requests }: Pick<Simulator, "requests">) =>
  requests.filter(({ raw }) => !raw.includes('"content":"ping"'));
