// Provides the service's models as language models of VS Code, for other extensions and the built-in chat.
import * as vscode from "vscode";
import { defaultOutputLimit, type Model } from "../../conversation/models.ts";
import type { Problem } from "../../conversation/problem.ts";
import { type ConnectionStep, commands, languageModelVendor } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { LanguageModelAnswers } from "./serve-requests.ts";

/** The setting alone has no visible effect in VS Code's chat: says so, with the way to the steps that are left. */
async function announceModels(): Promise<void> {
  const { t } = vscode.l10n;
  const show = t("Show Steps…");
  const sentence = t("Patchbay's models are offered. VS Code's chat shows them after a few steps there.");
  if ((await showInformation(sentence, show)) !== show) return;
  await vscode.commands.executeCommand(commands.connection, "chat" satisfies ConnectionStep);
}

/** VS Code requires a number; the service publishes none, and `patchbay.models` can override it. */
const inputTokens = 131_072;

interface KnownOfModels {
  /** As set by the user: the service does not say which values it supports. */
  effort(): string | undefined;
}

interface Newer {
  readonly tooltip: string;
  readonly pricing?: string;
  readonly configurationSchema?: { readonly properties: Readonly<Record<string, object>> };
}

type ModelInformation = vscode.LanguageModelChatInformation & Newer;

/**
 * Metadata for VS Code's list of models: context window, capabilities, reasoning effort, and prices by the user's
 * table. Much of it is not in our typings yet; editors that do not know it ignore it. `price`: by the user's table, if
 * it contains the model.
 */
export function informationOf(
  { id, label, route, contextWindow, vision = true }: Model,
  known: KnownOfModels,
  price: string | undefined,
): ModelInformation {
  return {
    id,
    name: label,
    family: id,
    version: "1",
    detail: "Patchbay",
    tooltip: [tooltips[route](label), vision ? images() : "", spent()].filter(Boolean).join(" "),
    ...tokensOf(contextWindow),
    capabilities: { imageInput: vision, toolCalling: true },
    ...(price !== undefined && { pricing: pricings[route](price) }),
    ...(route === "responses" && { configurationSchema: { properties: { effort: effortSchema(known) } } }),
  };
}

const tooltips = {
  responses: (label: string) => vscode.l10n.t("{0} can reason and use tools.", label),
  chat: (label: string) =>
    vscode.l10n.t(
      "Tools for {0} are sent as text, which uses more tokens. A call that can't be read is requested once more.",
      label,
    ),
} as const;

/** VS Code's picker shows this in place of the tooltip, so it also says what makes a request more expensive. */
const pricings = {
  responses: (price: string) => price,
  chat: (price: string) => vscode.l10n.t("{0}; tools are sent as text, which uses more tokens", price),
} as const;

const images = () => vscode.l10n.t("Images are accepted.");
const spent = () => vscode.l10n.t("Requests use your tokens and are listed under Usage.");

/** The list shows the sum of both as the context window. */
function tokensOf(
  contextWindow: number | undefined,
): Pick<ModelInformation, "maxInputTokens" | "maxOutputTokens"> {
  if (contextWindow === undefined)
    return { maxInputTokens: inputTokens, maxOutputTokens: defaultOutputLimit };
  const maxOutputTokens = Math.min(defaultOutputLimit, Math.ceil(contextWindow / 4));
  return { maxInputTokens: contextWindow - maxOutputTokens, maxOutputTokens };
}

/**
 * Shown next to the model. An empty value sends none, so that the service uses its default; VS Code marks its own
 * default.
 */
function effortSchema(known: KnownOfModels): object {
  const { t } = vscode.l10n;
  const own = known.effort();
  const words = new Map([
    ["", t("Automatic")],
    ["low", t("Low")],
    ["medium", t("Medium")],
    ["high", t("High")],
  ]);
  if (own !== undefined && !words.has(own)) words.set(own, own);
  return {
    type: "string",
    title: t("Reasoning Effort"),
    description: t("How much the model thinks before it responds."),
    enum: [...words.keys()],
    enumItemLabels: [...words.values()],
    default: own ?? "",
    group: "navigation",
  };
}

interface LanguageModelDeps extends KnownOfModels {
  isEnabled(): boolean;
  /** Whether the folder is trusted. */
  isTrusted(): boolean;
  models(): readonly Model[];
  /** Why nothing can be sent at the moment. */
  problem(): Promise<Problem | undefined>;
  readonly onDidChange: vscode.Event<void>;
  /** Whether the user has entered prices. */
  hasPrices(): boolean;
  /** Reports that a request of the user failed. */
  report(error: unknown): void;
  /** Loaded with the first request, or when prices are needed. */
  open(): Promise<LanguageModelAnswers>;
}

/**
 * Registers the provider while the user enables it, because requests of others then spend the user's tokens. Counting
 * never asks the service.
 */
export function registerLanguageModel(deps: LanguageModelDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let registered: vscode.Disposable | undefined;

  function follow(): void {
    // Missing in some forks of VS Code.
    const canBe = typeof vscode.lm?.registerLanguageModelChatProvider === "function";
    if (deps.isEnabled() === (registered !== undefined) || !canBe) {
      changed.fire();
      return;
    }
    registered?.dispose();
    registered = deps.isEnabled()
      ? vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider)
      : undefined;
  }

  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // While the folder is not trusted, its code may not use the key: its extensions and settings could send requests.
      if (!deps.isTrusted()) return [];
      const problem = await deps.problem();
      if (problem === undefined) {
        const prices = deps.hasPrices() ? await deps.open() : undefined;
        return deps.models().map((model) => informationOf(model, deps, prices?.price(model.id)));
      }
      if (!silent) await vscode.commands.executeCommand(commands.connection);
      return [];
    },
    async provideLanguageModelChatResponse({ id }, messages, options, progress, token) {
      const model = deps.models().find((each) => each.id === id);
      if (!deps.isTrusted())
        throw vscode.LanguageModelError.NoPermissions(
          vscode.l10n.t("Trust this folder to use the models of Patchbay in it."),
        );
      if (model === undefined) throw vscode.LanguageModelError.NotFound(id);
      await (await deps.open()).respond(model, { messages, options, progress, token });
    },
    provideTokenCount: async ({ id }, text) => (await deps.open()).count(id, text),
  };

  follow();
  const listening = vscode.Disposable.from(
    changed,
    deps.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const names = ["languageModel", "models", "pricing", "reasoning.effort"].map(
        (name) => `patchbay.${name}`,
      );
      if (!names.some((name) => change.affectsConfiguration(name))) return;
      const wasOffered = registered !== undefined;
      follow();
      if (!wasOffered && registered !== undefined) announceModels().catch(deps.report);
    }),
  );
  return new vscode.Disposable(() => {
    registered?.dispose();
    listening.dispose();
  });
}
