// Everything behind the editor at once – sessions, client, counts, ledgers – over a simulator, with ordinary settings.
// For what no single part can promise; without a page, and without anything that knows the editor.
import { request } from "node:https";
import type { Workspace } from "../../src/files/workspace.ts";
import {
  createService,
  type Service,
  type ServiceDeps,
  type ServiceSettings,
} from "../../src/host/services.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { Emitter } from "../../src/util/emitter.ts";
import { silentLog } from "../../src/util/log.ts";
import type { Simulator } from "../sim/simulator.ts";

export interface WholeServiceDeps
  extends Pick<ServiceDeps, "folder">,
    Partial<
      Pick<
        ServiceDeps,
        | "caution"
        | "keyWatcher"
        | "editor"
        | "last"
        | "acts"
        | "actOnCall"
        | "actOnChanges"
        | "actOnRemarks"
        | "tellLeft"
        | "log"
      >
    > {
  readonly sim: Pick<Simulator, "url" | "key">;
  readonly workspace: Workspace;
  readonly settings?: Partial<ServiceSettings>;
}

/** There is no editor whose colours a page could have. */
const ownColours: ServiceDeps["colouring"] = {
  show: (theme, page) => theme !== undefined && page.post({ type: "code-table", table: 1 }),
  colour() {},
  leave() {},
};

/** Nor is there a thread that draws. */
const noDiagrams: ServiceDeps["diagrams"] = {
  draw: (source, page) => page.post({ type: "diagram", source, why: "failed" }),
  leave() {},
};

export const openWholeService = ({ sim, settings, ...deps }: WholeServiceDeps): Promise<Service> =>
  createService({
    place: "",
    log: silentLog,
    tell: () => {},
    language: "en",
    editorNetwork: { proxyFor: async () => undefined, request },
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    problem: () => undefined,
    caution: () => undefined,
    keyWatcher: { refused() {}, accepted() {}, reached() {}, answers() {} },
    codeColours: () => ({}),
    colouring: ownColours,
    diagrams: noDiagrams,
    notices: () => [],
    settings: {
      service: () => ({}),
      conversation: () => defaultConversationSettings,
      preferences: () => {
        throw new Error("There is no page.");
      },
      defaultModel: () => "svc-k3",
      estimateMode: () => "onDemand",
      pricing: () => null,
      ...settings,
    },
    anonymousId: () => "a",
    act: () => undefined,
    editor: { attachKinds: [], starters: [] } as unknown as ServiceDeps["editor"],
    acts: new Emitter(),
    actOnCall: () => undefined,
    actOnChanges: () => undefined,
    tellLeft: () => undefined,
    offeredCheck: () => undefined,
    takeOfferedCheck: () => undefined,
    actOnCheck: () => undefined,
    actOnRemarks: () => undefined,
    actOnBreaking: () => undefined,
    actOnTry: () => undefined,
    hostTools: () => [],
    heldBack: () => {},
    evidence: () => undefined,
    showView: () => undefined,
    ...deps,
  });
