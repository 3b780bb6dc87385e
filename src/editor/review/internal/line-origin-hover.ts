// Shows on hover where a line comes from: the conversation, the model, the results of the user's checks, the time.
// Derived from the change sets of the conversations, which record what each call left in a file, by a diff with the
// current text; so it works in every window. For other lines, what the note of their commit says, if a person wants it.
import * as vscode from "vscode";
import { placing, type Written } from "../../../changes/line-origins.ts";
import type { Origins } from "../../../changes/stored-origins.ts";
import type { LineRange } from "../../../patch/model.ts";
import { runTask } from "../../../util/background.ts";
import { showHidden } from "../../../util/hidden-characters.ts";
import { ago } from "../../../util/numbers-and-times.ts";
import { localize } from "../../localize.ts";
import { commands } from "../../manifest.ts";
import { chosenProvenance, createNoteReader, type NotedLine } from "../../provenance/provenance.ts";
import { toFileName } from "../../workspace/file-uris.ts";
import type { ReviewSet } from "./review-targets.ts";

interface ProvenanceDeps {
  /** The change sets of open conversations, the newest last. */
  sets(): readonly ReviewSet[];
  /** Those of all stored conversations. */
  readonly kept: Pick<Origins, "writtenIn">;
  /** The display name of a model. */
  nameOfModel(id: string): string;
}

interface Origin {
  readonly written: Written;
  readonly title: string;
  /** `undefined` for a sample. */
  readonly conversation: string | undefined;
  readonly model: string | undefined;
  readonly at: number | undefined;
}

interface PlacedOrigin extends Origin {
  readonly lines: readonly LineRange[];
}

/** Longer texts are not compared while the user waits for a hover. */
const longest = 2_000_000;

/** Each is compared with the whole text: beside the editor if that is long, else with a turn for others between two. */
export async function placeOrigins<T extends { readonly written: Written }>(
  origins: readonly T[],
  live: string,
): Promise<(T & { readonly lines: readonly LineRange[] })[]> {
  const placed: (T & { readonly lines: readonly LineRange[] })[] = [];
  for (const each of origins) {
    const { text, lines } = each.written;
    const now = await runTask(placing, { text, lines, live }, text.length + live.length);
    placed.push({ ...each, lines: now });
  }
  return placed;
}

/** In one line, without characters that are not seen. */
const shownText = (text: string): string =>
  showHidden(text.slice(0, 200).replace(/\s+/g, " "))
    .map((piece) => piece.text)
    .join("");

export function createProvenance({ sets, kept, nameOfModel }: ProvenanceDeps): vscode.Disposable {
  const notes = createNoteReader();
  const known = new WeakMap<vscode.TextDocument, { version: number; origins: Promise<PlacedOrigin[]> }>();

  /** Several hovers over one text share what is found. */
  function originsOf(document: vscode.TextDocument): Promise<PlacedOrigin[]> {
    const { version } = document;
    const before = known.get(document);
    if (before?.version === version) return before.origins;
    const origins = findOrigins(document);
    known.set(document, { version, origins });
    origins.catch(() => known.delete(document));
    return origins;
  }

  async function findOrigins(document: vscode.TextDocument): Promise<PlacedOrigin[]> {
    const file = toFileName(document.uri);
    const live = document.getText();
    if (file === undefined || live.length > longest) return [];
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
    // The last one to change a line counts.
    return placeOrigins(
      found.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0)),
      live,
    );
  }

  async function provideHover(
    document: vscode.TextDocument,
    { line }: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    if (chosenProvenance() === "off" || document.lineAt(line).isEmptyOrWhitespace) return undefined;
    const isThere = ({ lines }: PlacedOrigin) =>
      lines.some(({ first, last }) => line >= first && line < last);
    const origin = (await originsOf(document)).findLast(isThere);
    if (origin !== undefined) return new vscode.Hover(wordsOf(origin));
    const noted = await notes.authorOf(document, line, token);
    return noted && new vscode.Hover(wordsOfNote(noted));
  }

  /** Anybody may have written the note, so its words are shown as text, and as theirs. */
  function wordsOfNote({ commit, author }: NotedLine): vscode.MarkdownString {
    const t = vscode.l10n.t;
    const said = new vscode.MarkdownString();
    const id = commit.slice(0, 8);
    const { accepted_by: accepted, checks } = author.kind === "agent" ? author.facts : {};
    const facts =
      author.kind === "person"
        ? [author.author]
        : [author.tool, author.model, accepted ?? author.person, checks];
    const shown = facts
      .filter((each) => each !== undefined && each !== "")
      .map((each) => shownText(each ?? ""));
    said.appendText(t("The note of {0} says: {1} (not verified)", id, shown.join(", ")));
    return said;
  }

  function wordsOf({ title, conversation, model, at, written }: Origin): vscode.MarkdownString {
    const t = vscode.l10n.t;
    const { acceptance, receipt, turn } = written;
    const facts = [
      title === "" ? t("This conversation") : title,
      ...(model === undefined ? [] : [nameOfModel(model)]),
      ...(acceptance?.proof ?? []).map(localize),
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
