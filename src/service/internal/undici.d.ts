// undici is imported by deep paths (for the reason, see open-connections.ts); its package has types only for the main entry.
declare module "undici/lib/dispatcher/agent.js" {
  const Agent: typeof import("undici").Agent;
  export = Agent;
}
declare module "undici/lib/core/connect.js" {
  const buildConnector: typeof import("undici").buildConnector;
  export = buildConnector;
}
/** For tests: its clock, which they can advance. */
declare module "undici/lib/util/timers.js" {
  const timers: { tick(milliseconds: number): void };
  export = timers;
}
