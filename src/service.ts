// The second host file: the core with network and schemas, loaded at first use (esbuild.mjs says why).
export { Disposables } from "./core/util/disposables.ts";
