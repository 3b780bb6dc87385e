// undici is imported by deep paths (network.ts says why); its package describes only the whole.
declare module "undici/lib/dispatcher/agent.js" {
  const Agent: typeof import("undici").Agent;
  export = Agent;
}
declare module "undici/lib/core/connect.js" {
  const buildConnector: typeof import("undici").buildConnector;
  export = buildConnector;
}
/** For tests: its clock, which can be moved. */
declare module "undici/lib/util/timers.js" {
  const timers: { tick(milliseconds: number): void };
  export = timers;
}
