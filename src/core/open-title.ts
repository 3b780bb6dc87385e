// What the open conversation is called, wherever somebody gives it a name: in the panel, in the list, in another window.
import type { Assistant } from "./assistant.ts";
import type { Library } from "./store/library.ts";
import type { Disposable } from "./util/disposables.ts";
import { Emitter, type Listener } from "./util/emitter.ts";
import type { Log } from "./util/log.ts";

export interface OpenTitle extends Disposable {
  /** Absent while it is not known: nothing has been asked yet. */
  readonly text: string | undefined;
  rename(title: string): Promise<void>;
  onChange(listener: Listener<void>): Disposable;
}

export interface OpenTitleNeeds {
  readonly library: Pick<Library, "find" | "rename" | "onDidChange">;
  readonly assistant: Pick<Assistant, "conversation" | "onReset">;
  readonly log: Log;
}

export function createOpenTitle({ library, assistant, log }: OpenTitleNeeds): OpenTitle {
  const changes = new Emitter<void>();
  let known: { readonly id: string; readonly title: string } | undefined;
  const current = () => assistant.conversation.id;

  async function look(): Promise<void> {
    const id = current();
    const title = (await library.find(id))?.title ?? "";
    if (id !== current() || (known?.id === id && known.title === title)) return;
    known = { id, title };
    changes.fire();
  }

  const lookLater = () => {
    look().catch((error: unknown) => log.error("The name of the conversation could not be read.", error));
  };
  const listening = [library.onDidChange(lookLater), assistant.onReset(lookLater)];
  lookLater();

  return {
    get text() {
      return known?.id === current() && known.title !== "" ? known.title : undefined;
    },
    rename: (title) => library.rename(current(), title),
    onChange: changes.on,
    dispose() {
      for (const each of listening) each.dispose();
    },
  };
}
