// What a person does with remarks that wait: edit, delete, list and send them.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { remarksSend } from "../../../conversation/messages.ts";
import type { Session } from "../../../session/session.ts";
import { withoutIcons } from "../../../util/text.ts";
import { localize } from "../../localize.ts";
import { commands } from "../../manifest.ts";
import { showInformation } from "../../notify.ts";
import type { Threads } from "../../ui/thread-input.ts";
import { answerIn } from "./hunk-conversations.ts";
import type { HunkThreads } from "./hunk-threads.ts";
import { countInWords, nameOfRemark, placeOfRemark, questionOf, type Remark } from "./remarks.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

interface RemarkCommandDeps {
  readonly reviewModel: Pick<ReviewModel, "sets" | "files" | "placesOf">;
  readonly hunkThreads: HunkThreads;
  readonly threads: Pick<Threads, "keep">;
  show(file: WaitingFile, hunk: string): Promise<void>;
  report(error: unknown): void;
}

interface Row extends vscode.QuickPickItem {
  /** Absent: sends all. */
  readonly remark?: Remark;
}

export function createRemarkCommands({ reviewModel, hunkThreads, threads, show, report }: RemarkCommandDeps) {
  const t = vscode.l10n.t;
  const setOf = (session: Session) => reviewModel.sets.find((each) => each.session === session);

  /** The remarks of the thread a button belongs to; without one, of the first conversation that has any. */
  function sessionAt(argument: unknown): Session | undefined {
    const { session } = hunkThreads.refOf(argument)?.set ?? {};
    return session ?? reviewModel.sets.find((each) => (each.session?.remarks.list.length ?? 0) > 0)?.session;
  }

  const placeNow = (set: ReviewSet | undefined, remark: Remark) =>
    set && placeOfRemark(remark, set, reviewModel);

  /** Sends all as one question. The response is shown below the first change that is still there, too. */
  async function send(session: Session): Promise<void> {
    const set = setOf(session);
    const remarks = session.remarks.list.map((each) => ({ each, now: placeNow(set, each) }));
    if (remarks.length === 0) return;
    if (session.readOnly !== undefined) throw new MessageError(session.readOnly);
    const asked = questionOf(remarks.map(({ each, now }) => [now?.remark ?? each, now?.isThere === true]));
    const answer = async () => {
      const turn = session.send(asked);
      session.remarks.take();
      return answerIn(await turn);
    };
    const at = remarks.find(({ now }) => now !== undefined)?.now;
    if (at === undefined) await answer();
    else await hunkThreads.follow(at.file, at.place, asked.prompt, answer);
  }

  /** All of them, each with its place; by keyboard, too: a choice shows the place, buttons edit and delete. */
  async function list(session: Session): Promise<void> {
    const pick = vscode.window.createQuickPick<Row>();
    const edit = { iconPath: new vscode.ThemeIcon("edit"), tooltip: t("Edit") };
    const remove = { iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Delete") };
    const draw = () => {
      const set = setOf(session);
      const all = session.remarks.list;
      pick.title = countInWords(all.length);
      pick.items = [
        { label: `$(send) ${localize(remarksSend(all.length))}`, alwaysShow: true },
        ...all.map((remark) => {
          const now = placeNow(set, remark);
          return {
            label: withoutIcons(remark.words.replaceAll(/\s+/g, " ")),
            description: nameOfRemark(now?.remark ?? remark),
            ...(now?.isThere !== true && { detail: t("No longer in the proposal") }),
            buttons: [edit, remove],
            remark,
          };
        }),
      ];
      if (all.length === 0) pick.hide();
    };
    const listening = session.onChange(draw);
    pick.matchOnDescription = true;
    pick.placeholder = t("Select a remark to go to its lines");
    draw();
    const done = new Promise<void>((resolve) => pick.onDidHide(() => resolve()));
    pick.onDidTriggerItemButton(({ item: { remark }, button }) => {
      if (remark === undefined) return;
      if (button === remove) session.remarks.drop(remark.id).catch(report);
      else editInBox(session, remark).catch(report);
    });
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      pick.hide();
      const { remark } = chosen ?? {};
      if (chosen !== undefined && remark === undefined) send(session).catch(report);
      const now = remark && placeNow(setOf(session), remark);
      if (now !== undefined) show(now.file, now.place.hunk).catch(report);
    });
    pick.show();
    await done;
    listening.dispose();
    pick.dispose();
  }

  async function editInBox(session: Session, remark: Remark): Promise<void> {
    const value = remark.words;
    const words = await vscode.window.showInputBox({
      title: t("Edit Remark"),
      prompt: nameOfRemark(remark),
      value,
    });
    if (words !== undefined && words.trim() !== "")
      await session.remarks.put({ ...remark, words: words.trim() });
  }

  function noneThere(): void {
    void showInformation(t("There are no remarks that were not sent."));
  }

  return {
    send,
    list,
    commands: {
      [commands.saveRemark]: (argument: unknown) => threads.keep(argument === undefined),
      [commands.editRemark]: (argument: unknown) => hunkThreads.editRemark(argument),
      [commands.deleteRemark]: (argument: unknown) => hunkThreads.dropRemark(argument),
      [commands.sendRemarks]: async (argument: unknown) => {
        const session = sessionAt(argument);
        if (session === undefined) noneThere();
        else await send(session);
      },
    },
  };
}
