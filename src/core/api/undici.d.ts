// undici is imported by deep paths (network.ts says why); its package describes only the whole.
declare module "undici/lib/dispatcher/agent.js" {
  const Agent: typeof import("undici").Agent;
  export = Agent;
}
declare module "undici/lib/dispatcher/proxy-agent.js" {
  const ProxyAgent: typeof import("undici").ProxyAgent;
  export = ProxyAgent;
}
declare module "undici/lib/api/api-request.js" {
  function request(
    this: import("undici").Dispatcher,
    options: import("undici").Dispatcher.RequestOptions,
  ): Promise<import("undici").Dispatcher.ResponseData>;
  export = request;
}
