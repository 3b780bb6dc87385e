// Where a line comes from, said on hover: the conversation, the model, when. Kept nowhere but in the change sets of the
// conversations, which say what each call has left of a file; a difference leads from there to the text as it is.
import * as vscode from "vscode";
import { standingOf, type Written } from "../../core/changes/written.ts";
import type { LineRange } from "../../core/patch/model.ts";
import { ago } from "../conversations/conversations-view.ts";
import { focusOf, views } from "../manifest.ts";
import { toFileName } from "../workspace/places.ts";
import type { ReviewSet } from "./desk.ts";

export interface ProvenanceDeps {
  /** Whose changes are known here, the newest last. */
  sets(): readonly ReviewSet[];
}

interface Origin {
  readonly written: Written;
  readonly set: ReviewSet;
  readonly lines: readonly LineRange[];
}

/** Of the user alone. */
const isEnabled = (): boolean =>
  vscode.workspace.getConfiguration("patchbay").inspect("provenance.enabled")?.globalValue !== false;

/** Longer texts are not compared while somebody waits for a hover. */
const longest = 2_000_000;

export function createProvenance({ sets }: ProvenanceDeps): vscode.Disposable {
  const known = new WeakMap<vscode.TextDocument, { version: number; origins: readonly Origin[] }>();

  async function originsOf(document: vscode.TextDocument): Promise<readonly Origin[]> {
    const file = toFileName(document.uri);
    if (file === undefined) return [];
    const before = known.get(document);
    if (before?.version === document.version) return before.origins;
    const { version } = document;
    const live = document.getText();
    const origins: Origin[] = [];
    if (live.length <= longest)
      for (const set of sets())
        for (const written of await set.changes.writtenIn(file))
          origins.push({ written, set, lines: standingOf(written, live) });
    known.set(document, { version, origins });
    return origins;
  }

  async function provideHover(
    document: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    if (!isEnabled() || document.lineAt(line).isEmptyOrWhitespace) return undefined;
    const isThere = ({ lines }: Origin) => lines.some(({ first, last }) => line >= first && line < last);
    const origin = (await originsOf(document)).findLast(isThere);
    return origin && new vscode.Hover(wordsOf(origin));
  }

  function wordsOf({ set: { name, session }, written }: Origin): vscode.MarkdownString {
    const t = vscode.l10n.t;
    const turn = session?.state.turns.find(({ id }) => id === written.turn);
    const when = turn === undefined ? [] : [turn.model, ago(turn.endedAt ?? turn.at)];
    const said = new vscode.MarkdownString();
    said.appendText(t("From Patchbay: {0}", [name, ...when].join(", ")));
    if (session === undefined) return said;
    // The chat shows it, or a list that leads there.
    said.isTrusted = { enabledCommands: [focusOf(views.chat)] };
    said.appendMarkdown(` → [${t("Open")}](command:${focusOf(views.chat)})`);
    return said;
  }

  return vscode.languages.registerHoverProvider([{ scheme: "*" }], { provideHover });
}
