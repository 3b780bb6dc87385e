// Where a line comes from, said on hover: the conversation, the model, what the person's checks said, when. Kept nowhere but in
// the change sets of the conversations, which say what each call has left of a file; a difference leads from there to the text
// as it is, in whichever window.
import * as vscode from "vscode";
import { standingOf, type Written } from "../../core/changes/line-provenance.ts";
import type { Origins } from "../../core/changes/origins.ts";
import type { LineRange } from "../../core/patch/model.ts";
import { ago } from "../format-numbers.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { inspectSection } from "../inspect-settings.ts";
import { commands } from "../manifest.ts";
import { toFileName } from "../workspace/file-uris.ts";
import type { ReviewSet } from "./review-model.ts";

export interface ProvenanceDeps {
  /** Whose changes are known here, the newest last. */
  sets(): readonly ReviewSet[];
  /** Those of all conversations that are kept. */
  readonly kept: Pick<Origins, "writtenIn">;
  /** What people call it. */
  nameOfModel(id: string): string;
}

interface Origin {
  readonly written: Written;
  readonly title: string;
  /** Nothing: of a sample. */
  readonly conversation: string | undefined;
  readonly model: string | undefined;
  readonly at: number | undefined;
}

interface Standing extends Origin {
  readonly lines: readonly LineRange[];
}

/** Of the user alone. */
const isEnabled = (): boolean =>
  inspectSection("patchbay", null)("globalValue", "provenance.enabled") !== false;

/** Longer texts are not compared while somebody waits for a hover. */
const longest = 2_000_000;

export function createProvenance({ sets, kept, nameOfModel }: ProvenanceDeps): vscode.Disposable {
  const known = new WeakMap<vscode.TextDocument, { version: number; origins: readonly Standing[] }>();

  async function originsOf(document: vscode.TextDocument): Promise<readonly Standing[]> {
    const file = toFileName(document.uri);
    const live = document.getText();
    if (file === undefined || live.length > longest) return [];
    const before = known.get(document);
    if (before?.version === document.version) return before.origins;
    const { version } = document;
    const own = sets();
    const found: Origin[] = [];
    const open = new Set(own.flatMap(({ session }) => session?.id ?? []));
    for (const { conversation, written } of await kept.writtenIn(file, open)) {
      const { id, title, updatedAt } = conversation;
      found.push({
        written,
        title,
        conversation: id,
        model: written.model,
        at: written.acceptance?.at ?? updatedAt,
      });
    }
    for (const { name, session, changes } of own)
      for (const written of await changes.writtenIn(file)) {
        const turn = session?.state.turns.find(({ id }) => id === written.turn);
        const at = written.acceptance?.at ?? turn?.endedAt ?? turn?.at;
        const model = written.model ?? turn?.model;
        found.push({ written, title: name, conversation: session?.id, model, at });
      }
    // Whoever was there last has the line.
    const origins = found
      .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
      .map((each) => ({ ...each, lines: standingOf(each.written, live) }));
    known.set(document, { version, origins });
    return origins;
  }

  async function provideHover(
    document: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    if (!isEnabled() || document.lineAt(line).isEmptyOrWhitespace) return undefined;
    const isThere = ({ lines }: Standing) => lines.some(({ first, last }) => line >= first && line < last);
    const origin = (await originsOf(document)).findLast(isThere);
    return origin && new vscode.Hover(wordsOf(origin));
  }

  function wordsOf({ title, conversation, model, at, written }: Origin): vscode.MarkdownString {
    const t = vscode.l10n.t;
    const { acceptance, receipt, turn } = written;
    const facts = [
      title === "" ? t("This conversation") : title,
      ...(model === undefined ? [] : [nameOfModel(model)]),
      ...(acceptance?.proof ?? []).map(inReaderLanguage),
      ...(at === undefined ? [] : [ago(at, vscode.env.language)]),
    ];
    const said = new vscode.MarkdownString();
    said.appendText(t("From Patchbay: {0}", facts.join(", ")));
    if (conversation === undefined) return said;
    said.isTrusted = { enabledCommands: [commands.openConversation] };
    const place = encodeURIComponent(JSON.stringify([conversation, turn]));
    said.appendMarkdown(` → [${t("Open")}](command:${commands.openConversation}?${place})`);
    if (receipt !== undefined) {
      said.appendMarkdown("\n\n");
      said.appendText(t("Receipt {0}", receipt));
    }
    return said;
  }

  return vscode.languages.registerHoverProvider([{ scheme: "*" }], { provideHover });
}
