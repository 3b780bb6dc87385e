// Reads VS Code's settings at use, and once for as long as nobody changes them. Those that decide where the key goes,
// what is spent, what leaves or what runs unasked are read from the user's own settings only: a workspace, a folder or a
// dev container can set the others (requirements A6), so their values are ignored and reported once. A value of the
// wrong form counts as not set.
import * as vscode from "vscode";
import type { Preferences } from "../bridge/view-state.ts";
import { type ClientSettings, readProfile } from "../core/api/settings.ts";
import { type Model, modelsWith } from "../core/conversation/models.ts";
import { type Permission, permissions } from "../core/conversation/permission.ts";
import { promptModes, type SavedPrompt, savedPrompt } from "../core/conversation/saved-prompt.ts";
import {
  type ConversationSettings,
  defaultConversationSettings as usual,
} from "../core/session/conversation-settings.ts";
import type { Log } from "../core/util/log.ts";
import { editorInUse } from "./editors.ts";
import { inspectSection, type Section, valuesAnywhere, valuesIn } from "./inspect-settings.ts";
import type { UserSetting, WorkspaceSetting } from "./manifest.ts";
import { rememberSettings } from "./settings-memory.ts";
import { type NotifyWhen, notifyWhen } from "./status/attention.ts";
import { type StatusPart, statusParts } from "./status/status-text.ts";
import { effective } from "./workspace-settings.ts";

/** As the manifest says: a settings file may say anything. */
const maxSteps = 200;
const maxKiB = 5000;

/** About commands that ask from the editor. */
export interface ActionSettings {
  /** Makes edits where the chosen model cannot. */
  readonly editModel: string;
  readonly outputTokens: number | undefined;
  /** Whether the context is listed before it is sent. */
  readonly listsContext: boolean;
}

export interface Settings {
  baseUrl(): string;
  defaultModel(): string;
  /** How the service is spoken to. */
  service(): ClientSettings;
  /** What of the requests is written to the log. */
  trace(): ClientSettings["trace"];
  /** What in `patchbay.service.profile` cannot be used, by its path. */
  unusableProfile(): readonly string[];
  conversation(): ConversationSettings;
  preferences(): Preferences;
  actions(): ActionSettings;
  /** Whether the service may count what is being written. */
  estimateMode(): "local" | "onDemand" | "auto";
  /** How long conversations are kept; 0: forever. */
  historyDays(): number;
  /** The person's own checks, as they were written. */
  checks(): unknown;
  /** As it was written: what is wrong with it is said where it is used. */
  pricing(): unknown;
  /** Who is told of a response that has ended, or that waits. */
  notify(): NotifyWhen;
  /** The models as VS Code's own, for other extensions. */
  readonly languageModel: {
    isEnabled(): boolean;
    models(): readonly Model[];
    effort(): string | undefined;
    hasPrices(): boolean;
  };
  /** What the status bar may show. */
  statusParts(): ReadonlySet<StatusPart>;
}

export function createSettings(log: Log): Settings & vscode.Disposable {
  // Before anyone else listens for changes: who does reads again.
  const memory = rememberSettings();
  const sectionAt = (section: string, place: vscode.Uri | null): Section =>
    memory.of(`${section} at ${place}`, () => inspectSection(section, place));
  const userOnly = userReader(log, sectionAt);
  const models = modelReader(log);
  const own = (key: UserSetting) => userOnly("patchbay", key);
  const at = (place: vscode.Uri | null) => sectionAt("patchbay", place);
  const isModel = (id: string) => models(own("models")).some((model) => model.id === id);
  /** Of the folder that a person works in. */
  const shared = (key: WorkspaceSetting) => effective(key, valuesIn(at(placeOfWork()), key), isModel);
  /** Of all folders: nobody takes away what another has forbidden. */
  const everywhere = (key: WorkspaceSetting) => effective(key, valuesAnywhere(key, at), isModel);

  const trace = () => oneOf(["headers", "bodies"], own("trace")) ?? "off";
  const profile = () => memory.of("profile", () => readProfile(own("service.profile")));

  return {
    dispose: memory.dispose,
    baseUrl: () => text(own("baseUrl")).trim(),
    defaultModel: () => text(shared("model.default")),
    service: () => ({
      ...profile().settings,
      nonceHeader: text(own("receipts.nonceHeader")),
      responsesModels: models(own("models")).flatMap(({ id, route }) => (route === "responses" ? [id] : [])),
      trace: trace(),
      ...network(userOnly),
    }),
    trace,
    unusableProfile: () => profile().unusable,
    conversation: () => ({
      ...usual,
      models: models(own("models")),
      tools: {
        user: new Map([...allowed(own("agent.tools")), ...patches(own("patch.apply"))]),
        workspace: new Map(texts(everywhere("agent.disabledTools")).map((name) => [name, "off"])),
      },
      privacy: { ignore: texts(own("context.ignore")), alsoIgnore: texts(everywhere("context.alsoIgnore")) },
      protection: { own: texts(own("patch.protected")), also: texts(everywhere("patch.alsoProtected")) },
      limits: {
        steps: Math.min(positive(own("agent.maxSteps")) ?? usual.limits.steps, maxSteps),
        ...given("outputTokens", number(shared("output.maxTokens"))),
        ...given("effort", text(own("reasoning.effort")) || undefined),
        ...given("cacheTtl", oneOf(["5m", "1h"], shared("cache.ttl"))),
      },
      webSearch: own("webSearch.default") === true,
      askAboveTokens:
        own("spend.askAboveTokens") === null
          ? null
          : (positive(own("spend.askAboveTokens")) ?? usual.askAboveTokens),
      instructions: {
        user: text(own("instructions.user")),
        // Whoever does not want the file's words is not made to follow them by the folder that holds it.
        workspaceFile: everywhere("instructions.workspaceFile") === true,
      },
      prompts: prompts(own("prompts")),
      attachmentBytes:
        1024 * Math.min(positive(shared("context.maxFileKiB")) ?? usual.attachmentBytes / 1024, maxKiB),
    }),
    actions: () => ({
      editModel: text(shared("model.edit")),
      outputTokens: number(shared("output.maxTokensForActions")),
      listsContext: own("actions.listContext") === true,
    }),
    estimateMode: () => oneOf(["local", "auto"], own("estimate.mode")) ?? "onDemand",
    historyDays: () => positive(own("history.keepDays")) ?? 0,
    checks: () => own("checks"),
    pricing: () => own("pricing"),
    languageModel: {
      isEnabled: () => own("languageModel.enabled") === true,
      models: () => models(own("models")),
      effort: () => text(own("reasoning.effort")) || undefined,
      hasPrices: () => own("pricing") !== null && own("pricing") !== undefined,
    },
    notify: () => oneOf(notifyWhen, own("chat.notify")) ?? "unfocused",
    statusParts: () => new Set(statusParts.filter((part) => texts(shared("status.show")).includes(part))),
    preferences: () => ({
      sendKey: oneOf(["modEnter"], own("chat.sendKey")) ?? "enter",
      scroll: oneOf(["anchorTop", "off"], own("chat.scroll")) ?? "follow",
      reasoning: oneOf(["headline", "expanded"], own("chat.reasoning")) ?? "preview",
      textDirection: oneOf(["ltr", "rtl"], own("chat.textDirection")) ?? "auto",
      renderMath: own("chat.renderMath") !== false,
      attachActiveEditor: own("chat.attachActiveEditor") === true,
    }),
  };
}

/** Among several folders the one counts that a person works in: that of the editor that was used last. */
const placeOfWork = (): vscode.Uri | null => editorInUse()?.document.uri ?? null;

/** What is wrong with an entry is said once, not at each question. */
function modelReader(log: Log): (setting: unknown) => readonly Model[] {
  const reported = new Set<string>();
  return (setting) => {
    const { models, ignored } = modelsWith(setting);
    for (const sentence of ignored.filter((each) => !reported.has(each))) {
      reported.add(sentence);
      log.warn(sentence);
    }
    return models;
  };
}

type UserReader = (section: string, key: string) => unknown;

function userReader(log: Log, sectionAt: (section: string, place: null) => Section): UserReader {
  const reported = new Set<string>();
  return (section, key) => {
    const said = sectionAt(section, null);
    const isForeign =
      said("workspaceValue", key) !== undefined || said("workspaceFolderValue", key) !== undefined;
    if (isForeign && !reported.has(key)) {
      reported.add(key);
      log.warn(`The workspace sets ${section}.${key}. Only your user settings can; its value is ignored.`);
    }
    const own = said("globalValue", key);
    return own === undefined ? said("defaultValue", key) : own;
  };
}

/** The way out is the one VS Code itself takes (requirements A11). */
function network(userOnly: UserReader): Pick<ClientSettings, "proxy" | "certificates"> {
  const http = (key: string) => userOnly("http", key);
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

/** Whatever this says, sensitive files and untrusted workspaces are asked about (core/tools/propose-patch.ts). */
const patches = (value: unknown): [string, Permission][] =>
  value === "auto" && vscode.workspace.isTrusted ? [["apply_patch", "auto"]] : [];

function prompts(value: unknown): SavedPrompt[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const { title, prompt, mode } = fields(each) ?? {};
    return typeof title === "string" && typeof prompt === "string"
      ? [savedPrompt(title, prompt, oneOf(promptModes, mode) ?? "ask")]
      : [];
  });
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** A limit on spending that cannot be kept is refused with its sentence, where the request is made. */
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

const fields = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

const oneOf = <const Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

/** An optional field that is there or is not, never `undefined`. */
const given = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };
