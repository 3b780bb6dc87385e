// What would leave with a question, each with its role, its size and what would be left out of it: listed before
// anything is sent (threats A13), selected, so that Enter sends and a click leaves something out.
import * as vscode from "vscode";
import type { Attachment, AttachmentView } from "../../core/conversation/attachment.ts";
import type { Session } from "../../core/session/session.ts";
import { inReaderLanguage } from "../in-reader-language.ts";

export interface Companion {
  readonly attachment: Attachment;
  /** What it is to the question: the code, what stands around it. */
  readonly role: string;
}

interface Row extends vscode.QuickPickItem {
  readonly attachment: Attachment;
}

const secondsToLook = 10;

/** `undefined` when the person went away. */
export async function chooseCompanions(
  title: string,
  companions: readonly Companion[],
  session: Pick<Session, "read">,
): Promise<readonly Attachment[] | undefined> {
  const t = vscode.l10n.t;
  const views = await lookAt(companions, session);
  const rows = companions.map(({ attachment, role }, at) => rowOf(attachment, role, views[at]));
  const chosen = await pick(title, rows, t("Context to send – press Enter to continue"));
  return chosen?.map(({ attachment }) => attachment);
}

/** The same in one line, for a box that has to be typed into anyway. */
export async function describeCompanions(
  companions: readonly Companion[],
  session: Pick<Session, "read">,
): Promise<string> {
  const views = await lookAt(companions, session);
  const labels = views.map(({ label, bytes, notes }) =>
    bytes === 0 && notes !== undefined ? vscode.l10n.t("{0} (not sent)", label) : label,
  );
  return vscode.l10n.t("Context: {0}", labels.join("; "));
}

async function lookAt(
  companions: readonly Companion[],
  { read }: Pick<Session, "read">,
): Promise<readonly AttachmentView[]> {
  const signal = AbortSignal.timeout(secondsToLook * 1000);
  const looked = await Promise.all(companions.map(({ attachment }) => read(attachment, signal)));
  return looked.map(({ view }) => view);
}

function rowOf(attachment: Attachment, role: string, view: AttachmentView | undefined): Row {
  const { label = "", bytes = 0, notes } = view ?? {};
  return {
    attachment,
    label,
    description: `${role} · ${sizeOf(bytes)}`,
    ...(notes !== undefined && { detail: notes.map(inReaderLanguage).join(" ") }),
    // What is refused goes out as a sentence that says so; nobody needs that by default.
    picked: bytes > 0,
  };
}

function sizeOf(bytes: number): string {
  const t = vscode.l10n.t;
  if (bytes === 0) return t("not sent");
  return bytes < 1024 ? t("{0} bytes", bytes) : t("{0} KB", Math.ceil(bytes / 1024));
}

function pick(title: string, rows: readonly Row[], placeholder: string): Promise<readonly Row[] | undefined> {
  const t = vscode.l10n.t;
  const box = vscode.window.createQuickPick<Row>();
  const never = {
    iconPath: new vscode.ThemeIcon("bell-slash"),
    tooltip: t("Don't Show This List Again"),
  };
  Object.assign(box, { title, placeholder, items: rows, canSelectMany: true, buttons: [never] });
  box.selectedItems = rows.filter(({ picked }) => picked === true);
  return new Promise((resolve, reject) => {
    let chosen: readonly Row[] | undefined;
    let kept: Thenable<void> | undefined;
    box.onDidAccept(() => {
      chosen = box.selectedItems;
      box.hide();
    });
    box.onDidTriggerButton(() => {
      kept = vscode.workspace
        .getConfiguration("patchbay")
        .update("actions.listContext", false, vscode.ConfigurationTarget.Global);
      chosen = box.selectedItems;
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      Promise.resolve(kept).then(() => resolve(chosen), reject);
    });
    box.show();
  });
}
