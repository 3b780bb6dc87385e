// What still keeps the models out of VS Code's own chat, in one list where each row mends itself.
import * as vscode from "vscode";
import type { Model } from "../../conversation/models.ts";
import { showInformation } from "../notify.ts";

/** The command that opens VS Code's list of models; missing where its chat is left out of the build. */
const listOfModels = "workbench.action.chat.manage";

interface ChatStep {
  readonly label: string;
  /** Empty once it is done. */
  readonly detail: string;
  /** `undefined` where VS Code does not tell. */
  readonly isDone: boolean | undefined;
  run(): Thenable<unknown>;
}

interface SettingStep {
  readonly setting: string;
  readonly label: string;
  readonly detail: string;
  /** Whether this value lets the models through. */
  isDone(value: unknown): boolean;
  /** The value that does, made from the current one. */
  next(value: unknown): unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function settingSteps(extensionId: string, models: readonly Model[]) {
  const { t } = vscode.l10n;
  const steps: readonly SettingStep[] = [
    {
      setting: "chat.disableAIFeatures",
      label: t("Turn on VS Code's chat"),
      detail: t("It is turned off in the settings."),
      isDone: (value) => value !== true,
      next: () => false,
    },
    ...models.slice(0, 1).map(({ id, label }) => ({
      setting: "chat.defaultModel",
      label: t("Start new chats with {0}", label),
      detail: t("Otherwise VS Code takes the first name in the list."),
      isDone: (value: unknown) => typeof value === "string" && value.trim() !== "",
      next: () => id,
    })),
    {
      setting: "chat.byokUtilityModelDefault",
      label: t("Use the chosen model for titles and summaries"),
      detail: t("These requests use your tokens. The summary of a long chat uses many."),
      isDone: (value) => value !== "copilot",
      next: () => "mainAgent",
    },
    {
      setting: "chat.agentHost.byokModels.enabled",
      label: t("Offer the models in sessions of VS Code's agent host"),
      detail: t("Older versions of VS Code have to be quit and opened again."),
      isDone: (value) => value === true,
      next: () => true,
    },
    {
      setting: "chat.agentHost.allowSignedOutWhenUsable",
      label: t("Use those sessions without signing in to GitHub"),
      detail: t("Otherwise a sign-in comes first, even with your own model."),
      isDone: (value) => value === true,
      next: () => true,
    },
    {
      setting: "extensions.supportAgentsWindow",
      label: t("Load Patchbay in the Agents window"),
      detail: t("VS Code leaves extensions out of that window unless you name them."),
      isDone: (value) => isRecord(value) && value[extensionId] === true,
      next: (value) => ({ ...(isRecord(value) ? value : {}), [extensionId]: true }),
    },
  ];
  return steps;
}

/** The steps that this VS Code knows, with what they are at now. A setting that it does not know has no row. */
export async function chatSteps(extensionId: string, models: readonly Model[]): Promise<ChatStep[]> {
  const { t } = vscode.l10n;
  const settings = vscode.workspace.getConfiguration();
  const rows = settingSteps(extensionId, models).flatMap((step): ChatStep[] => {
    if (settings.inspect(step.setting)?.defaultValue === undefined) return [];
    const isDone = step.isDone(settings.get(step.setting));
    return [
      {
        label: step.label,
        detail: isDone ? "" : step.detail,
        isDone,
        async run() {
          const next = step.next(settings.inspect(step.setting)?.globalValue);
          await settings.update(step.setting, next, vscode.ConfigurationTarget.Global);
          if (!step.isDone(vscode.workspace.getConfiguration().get(step.setting)))
            await showInformation(t("{0} is fixed by your organization or by this workspace.", step.setting));
        },
      },
    ];
  });
  if (!(await vscode.commands.getCommands(true)).includes(listOfModels)) return rows;
  const list: ChatStep = {
    label: t("Turn on the models in VS Code's list"),
    detail: t("If they don't show there, your account or organization may not allow them."),
    isDone: undefined,
    run: () => vscode.commands.executeCommand(listOfModels),
  };
  return [list, ...rows];
}

const icon = ({ isDone }: ChatStep): string =>
  isDone === undefined ? "arrow-right" : isDone ? "pass-filled" : "circle-large-outline";

interface StepRow extends vscode.QuickPickItem {
  readonly step: ChatStep;
}

/** Shows the steps. The list stays open while settings are changed in it, and ends where it opens something else. */
export async function showChatSteps(extensionId: string, models: readonly Model[]): Promise<void> {
  const { t } = vscode.l10n;
  const first = await chatSteps(extensionId, models);
  if (first.length === 0) {
    await showInformation(t("This editor has no built-in chat. Other extensions can use Patchbay's models."));
    return;
  }
  const list = vscode.window.createQuickPick<StepRow>();
  list.title = t("Patchbay's Models in VS Code's Chat");
  list.placeholder = t("What is still in the way here. Choose a step to do it.");
  list.ignoreFocusOut = true;
  const show = (steps: readonly ChatStep[]): void => {
    list.items = steps.map((step) => ({
      label: `$(${icon(step)}) ${step.label}`,
      detail: step.detail,
      step,
    }));
  };
  show(first);
  const left = list.items.find(({ step }) => step.isDone === false);
  if (left !== undefined) list.activeItems = [left];
  await new Promise<void>((resolve, reject) => {
    list.onDidHide(() => resolve());
    list.onDidAccept(() => {
      const [row] = list.activeItems;
      if (row !== undefined) take(row).catch(reject);
    });
    list.show();
  }).finally(() => list.dispose());

  async function take({ step }: StepRow): Promise<void> {
    if (step.isDone === true) return;
    if (step.isDone === undefined) list.hide();
    else list.busy = true;
    await step.run();
    if (step.isDone === undefined) return;
    const position = list.items.findIndex((row) => row.step === step);
    show(await chatSteps(extensionId, models));
    list.busy = false;
    const next = list.items.find((row, index) => index > position && row.step.isDone === false);
    list.activeItems = next === undefined ? list.items.slice(position, position + 1) : [next];
  }
}
