// The second host file: the core with network and schemas, loaded at first use (esbuild.mjs says why).
import { Disposables } from "./core/util/disposables.ts";

export function createService(): Disposables {
  return new Disposables();
}
