// Reads VS Code's settings, and contains the few that are needed at activation; settings.ts, loaded with the container,
// has the others.
import * as vscode from "vscode";
import { type Preferences, readPreferences } from "../../bridge/preferences.ts";
import { type Model, modelsWith } from "../../conversation/models.ts";
import type { TraceLevel } from "../../service/settings.ts";
import type { Log } from "../../util/log.ts";
import { type StatusPart, statusParts } from "../status/status-text.ts";
import { editorInUse } from "../text-editors.ts";
import type { RuleOf, UserSetting, WorkspaceSetting } from "./all-settings.ts";
import {
  effective,
  inspectSection,
  oneOf,
  type Section,
  text,
  texts,
  valuesAnywhere,
  valuesIn,
} from "./read-settings.ts";

/** Limit, because settings are cached per document and documents add up over a long day. */
const maxKept = 50;

interface SettingsMemory extends vscode.Disposable {
  /** Caches the result of `read` by name. */
  of<Value>(name: string, read: () => Value): Value;
}

/**
 * Caches settings until they change. VS Code computes each value on every call, and one rendering of the chat reads dozens:
 * without this cache they accounted for most of the host's longest tasks.
 */
function rememberSettings(): SettingsMemory {
  const kept = new Map<string, unknown>();
  const forget = () => kept.clear();
  const changes = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(forget),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  );
  return {
    of<Value>(name: string, read: () => Value): Value {
      if (kept.has(name)) return kept.get(name) as Value;
      const value = read();
      if (kept.size >= maxKept) forget();
      kept.set(name, value);
      return value;
    },
    dispose: () => changes.dispose(),
  };
}

/** Caches values until a setting changes. */
export interface SettingsReader {
  /** The user's value, or the default. */
  own(key: UserSetting): unknown;
  /** The same for a setting of VS Code's own network. */
  http(key: string): unknown;
  /** The effective value in the folder the user works in. */
  shared<Key extends WorkspaceSetting>(key: Key, rule: RuleOf<Key>): unknown;
  /** The effective value for all folders: no folder allows what another has forbidden. */
  everywhere<Key extends WorkspaceSetting>(key: Key, rule: RuleOf<Key>): unknown;
  /** The built-in models and the user's own. */
  models(): readonly Model[];
  /** Caches the result of `read` by name. */
  remember<Value>(name: string, read: () => Value): Value;
}

export interface StartSettings extends vscode.Disposable {
  readonly reader: SettingsReader;
  baseUrl(): string;
  defaultModel(): string;
  /** What is logged of each request. */
  trace(): TraceLevel;
  preferences(): Preferences;
  /** For providing the models to other extensions. */
  readonly languageModel: {
    isEnabled(): boolean;
    models(): readonly Model[];
    effort(): string | undefined;
    hasPrices(): boolean;
  };
  /** The parts that the status bar may show. */
  statusParts(): ReadonlySet<StatusPart>;
}

export function createStartSettings(log: Log): StartSettings {
  // Must be the first to listen for changes: other listeners read the settings again.
  const memory = rememberSettings();
  const reader = createReader(log, memory.of);
  const { own, shared, models } = reader;
  return {
    reader,
    dispose: () => memory.dispose(),
    baseUrl: () => text(own("baseUrl")).trim(),
    defaultModel: () => text(shared("model.default", "model")),
    trace: () => oneOf(["headers", "bodies"], own("trace")) ?? "off",
    languageModel: {
      isEnabled: () => own("languageModel.enabled") === true,
      models,
      effort: () => text(own("reasoning.effort")) || undefined,
      hasPrices: () => own("pricing") !== null && own("pricing") !== undefined,
    },
    statusParts: () =>
      new Set(statusParts.filter((part) => texts(shared("status.show", "fewer")).includes(part))),
    preferences: () => readPreferences((name) => own(`chat.${name}`)),
  };
}

/**
 * Settings that decide where the key goes, what is spent, what is sent or what runs unasked are read from the user's
 * own settings only: a workspace, a folder or a dev container cannot set them (requirements A6), so their values are
 * ignored and reported once. Values of the wrong type count as not set.
 */
function createReader(log: Log, remember: SettingsReader["remember"]): SettingsReader {
  const sectionAt = (section: string, place: vscode.Uri | null): Section =>
    remember(`${section} at ${place}`, () => inspectSection(section, place));
  const userOnly = userReader(log, sectionAt);
  const read = modelReader(log);
  const at = (place: vscode.Uri | null) => sectionAt("patchbay", place);
  const own = (key: UserSetting) => userOnly("patchbay", key);
  const models = () => read(own("models"));
  const isModel = (id: string) => models().some((model) => model.id === id);
  return {
    own,
    http: (key) => userOnly("http", key),
    shared: (key, rule) => effective(rule, valuesIn(at(placeOfWork()), key), isModel),
    everywhere: (key, rule) => effective(rule, valuesAnywhere(key, at), isModel),
    models,
    remember,
  };
}

/** With several folders, the user works in the one whose editor was used last. */
const placeOfWork = (): vscode.Uri | null => editorInUse()?.document.uri ?? null;

/** Invalid entries are reported once, not at each read. */
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
