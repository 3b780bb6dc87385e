// What VS Code's list of models is told about each of ours: its window, what it can do, how much it may think, and what
// it costs by the person's own prices. Much of it is newer than our types; an editor that does not know it passes it by.
import * as vscode from "vscode";
import type { Model } from "../../core/conversation/models.ts";
import { defaultOutputLimit } from "../../core/conversation/output-limit.ts";

/** VS Code wants a number; the service publishes none, and `patchbay.models` may say better. */
const inputTokens = 131_072;

export interface KnownOfModels {
  /** As the person has set it: the service does not say which words it knows. */
  effort(): string | undefined;
}

interface Newer {
  readonly tooltip: string;
  readonly pricing?: string;
  readonly configurationSchema?: { readonly properties: Readonly<Record<string, object>> };
}

export type ModelInformation = vscode.LanguageModelChatInformation & Newer;

/** `price`: by the person's own table, where it has the model. */
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

/** VS Code's picker shows this in place of the tooltip, so that it says what makes a request dearer, too. */
const pricings = {
  responses: (price: string) => price,
  chat: (price: string) => vscode.l10n.t("{0}; tools are sent as text, which uses more tokens", price),
} as const;

const images = () => vscode.l10n.t("Images are accepted.");
const spent = () => vscode.l10n.t("Requests use your tokens and are listed under Usage.");

/** Both together are what the list shows as the window. */
function tokensOf(
  contextWindow: number | undefined,
): Pick<ModelInformation, "maxInputTokens" | "maxOutputTokens"> {
  if (contextWindow === undefined)
    return { maxInputTokens: inputTokens, maxOutputTokens: defaultOutputLimit };
  const maxOutputTokens = Math.min(defaultOutputLimit, Math.ceil(contextWindow / 4));
  return { maxInputTokens: contextWindow - maxOutputTokens, maxOutputTokens };
}

/** Shown beside the model. Empty sends none, so that the service does what it does by itself; VS Code marks its own default. */
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
