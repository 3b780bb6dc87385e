// The models this interface names, and the operation each one speaks. `svc-k3` alone has the Responses
// operation (interface, "Versioning" 3); the picker says what that means.

export type Route = "responses" | "chat";

export interface Model {
  readonly id: string;
  readonly label: string;
  readonly route: Route;
}

export const builtInModels: readonly Model[] = [
  { id: "svc-k3", label: "K3", route: "responses" },
  { id: "svc-k2.7-code", label: "K2.7 Code", route: "chat" },
  { id: "svc-k2.7-code-highspeed", label: "K2.7 Code Highspeed", route: "chat" },
  { id: "svc-k2.6", label: "K2.6", route: "chat" },
];

export const responsesModel = "svc-k3";

/** What nobody knows can at least chat. */
export const routeOf = (model: string): Route =>
  builtInModels.find(({ id }) => id === model)?.route ?? "chat";
