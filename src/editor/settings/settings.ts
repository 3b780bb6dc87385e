// The settings needed by the container (start-settings.ts has those needed at activation). Read at each use.
import * as vscode from "vscode";
import { type Permission, permissions } from "../../conversation/models.ts";
import { type ClientSettings, readProfile } from "../../service/settings.ts";
import {
  type ConversationSettings,
  surroundingParts,
  defaultConversationSettings as usual,
} from "../../session/session-context.ts";
import { promptModes, type SavedPrompt, savedPrompt } from "../../session/slash-commands.ts";
import { isPattern, liftedFiles } from "../folders.ts";
import { type NotifyWhen, notifyWhen } from "../status/notifications.ts";
import { oneOf, text, texts } from "./read-settings.ts";
import type { SettingsReader, StartSettings } from "./start-settings.ts";

/** As in the manifest; a settings file may contain anything. */
const maxSteps = 200;
const maxKiB = 5000;

/** For actions of the editor. */
export interface ActionSettings {
  /** The model for edits; "" uses the chosen one. */
  readonly editModel: string;
  readonly outputTokens: number | undefined;
  /** Whether the context is listed before it is sent. */
  readonly listsContext: boolean;
}

export interface Settings extends StartSettings {
  /** How requests are sent to the service. */
  service(): ClientSettings;
  /** Paths of invalid entries in `patchbay.service.profile`. */
  unusableProfile(): readonly string[];
  conversation(): ConversationSettings;
  actions(): ActionSettings;
  /** Whether the service may count drafts. */
  estimateMode(): "local" | "onDemand" | "auto";
  /** Days that conversations are kept; 0: forever. */
  historyDays(): number;
  /** The user's own checks, unparsed. */
  checks(): unknown;
  /** Unparsed: errors are reported where it is used. */
  pricing(): unknown;
  /** When to notify about a response that has ended or needs a decision. */
  notify(): NotifyWhen;
}

export function createSettings(start: StartSettings): Settings {
  const { own, shared, everywhere, models, remember } = start.reader;
  const profile = () => remember("profile", () => readProfile(own("service.profile")));
  return {
    ...start,
    dispose: () => start.dispose(),
    service: () => ({
      ...profile().settings,
      nonceHeader: text(own("receipts.nonceHeader")),
      responsesModels: models().flatMap(({ id, route }) => (route === "responses" ? [id] : [])),
      trace: start.trace(),
      ...network(start.reader),
    }),
    unusableProfile: () => profile().unusable,
    conversation: () => ({
      ...usual,
      models: models(),
      tools: {
        user: new Map(allowed(own("agent.tools"))),
        workspace: new Map(texts(everywhere("agent.disabledTools", "more")).map((name) => [name, "off"])),
      },
      privacy: {
        ignore: texts(own("context.ignore")),
        alsoIgnore: texts(everywhere("context.alsoIgnore", "more")),
      },
      protection: {
        own: texts(own("patch.protected")).filter(isPattern),
        lifted: liftedFiles(texts(own("patch.protected"))),
        also: texts(everywhere("patch.alsoProtected", "more")),
      },
      autoAccept: texts(own("patch.autoAccept")),
      limits: {
        steps: Math.min(positive(own("agent.maxSteps")) ?? usual.limits.steps, maxSteps),
        ...given("outputTokens", number(shared("output.maxTokens", "limit"))),
        ...given("effort", text(own("reasoning.effort")) || undefined),
        ...given("cacheTtl", oneOf(["5m", "1h"], shared("cache.ttl", "tier"))),
      },
      webSearch: own("webSearch.default") === true,
      askAboveTokens:
        own("spend.askAboveTokens") === null
          ? null
          : (positive(own("spend.askAboveTokens")) ?? usual.askAboveTokens),
      stopRunAboveTokens: positive(own("spend.stopRunAboveTokens")) ?? null,
      instructions: {
        user: text(own("instructions.user")),
        // A user who switched the instructions file off is not made to follow it by the folder that contains it.
        workspaceFile: everywhere("instructions.workspaceFile", "off") === true,
      },
      surroundings: surroundingParts.filter((part) =>
        texts(everywhere("context.surroundings", "fewer")).includes(part),
      ),
      prompts: prompts(own("prompts")),
      attachmentBytes:
        1024 *
        Math.min(positive(shared("context.maxFileKiB", "limit")) ?? usual.attachmentBytes / 1024, maxKiB),
    }),
    actions: () => ({
      editModel: text(shared("model.edit", "model")),
      outputTokens: number(shared("output.maxTokensForActions", "limit")),
      listsContext: own("actions.listContext") === true,
    }),
    estimateMode: () => oneOf(["local", "auto"], own("estimate.mode")) ?? "onDemand",
    historyDays: () => positive(own("history.keepDays")) ?? 0,
    checks: () => own("checks"),
    pricing: () => own("pricing"),
    notify: () => oneOf(notifyWhen, own("chat.notify")) ?? "unfocused",
  };
}

/** Uses the same proxy and certificates as VS Code itself (requirements A11). */
function network({ http }: SettingsReader): Pick<ClientSettings, "proxy" | "certificates"> {
  return {
    proxy: {
      off: http("proxySupport") === "off",
      url: text(http("proxy")),
      except: texts(http("noProxy")),
      authorization: text(http("proxyAuthorization")),
    },
    certificates: { system: http("systemCertificates") !== false },
  };
}

function allowed(value: unknown): [string, Permission][] {
  return Object.entries(fields(value) ?? {}).flatMap(([name, permission]) => {
    const known = oneOf(permissions, permission);
    return known === undefined ? [] : [[name, known] as [string, Permission]];
  });
}

function prompts(value: unknown): SavedPrompt[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const { title, prompt, mode } = fields(each) ?? {};
    return typeof title === "string" && typeof prompt === "string"
      ? [savedPrompt(title, prompt, oneOf(promptModes, mode) ?? "ask")]
      : [];
  });
}

/** An invalid spending limit is passed on: the request is then refused with an explanation. */
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

const fields = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/** Omits an optional field instead of setting it to `undefined`. */
const given = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };

/**
 * Appends to lists in the user's own settings. Existing entries are kept, even those that Patchbay does not understand.
 * `setting` is the name without the `patchbay.` prefix.
 */
export async function addToSetting(setting: string, added: readonly unknown[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration("patchbay");
  const own = settings.inspect<unknown>(setting)?.globalValue;
  const all = new Set<unknown>([...(Array.isArray(own) ? own : []), ...added]);
  await settings.update(setting, [...all], vscode.ConfigurationTarget.Global);
}
