// The process that stands for the extension host in long days, and is killed: everything behind the editor on the real disk,
// with the page at the other end of a wire, as in VS Code. Its parent says what a person does outside of the page.

import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acceptableHunks } from "../../../src/changes/pending-changes.ts";
import type { ServiceDeps } from "../../../src/host/services.ts";
import { Emitter } from "../../../src/util/emitter.ts";
import { openFolderWorkspace } from "../../support/folder-workspace.ts";
import { pageSettings } from "../../support/whole-page.ts";
import { openWholeService } from "../../support/whole-service.ts";
import {
  type DayOrder,
  type Figures,
  type FromDay,
  type ToDay,
  type Wish,
  workspaceFolder,
} from "./day-order.ts";
import { countLiveObjects } from "./live-objects.ts";

const order: DayOrder = JSON.parse(process.argv[2] ?? "");
const say = (message: FromDay): void => void process.send?.(message);

const workspace = openFolderWorkspace(order.root, [workspaceFolder]);
// Half a file would be the fault of this workspace: an editor's own files are not what is tried here.
workspace.write = (path, text) => {
  const beside = join(order.root, `${randomBytes(6).toString("hex")}.new`);
  writeFileSync(beside, text);
  renameSync(beside, join(order.root, path));
};

const service = await openWholeService({
  folder: order.folder,
  sim: order,
  workspace,
  settings: { ...pageSettings, service: () => ({ idleSeconds: 5 }) },
  editor: { attachKinds: [], starters: [], setFocus() {} } as unknown as ServiceDeps["editor"],
  async actOnChanges({ patches: { changes } }, action, shown) {
    if (action === "accept-all" && changes.revision === shown)
      await changes.accept(changes.pending.flatMap(acceptableHunks).map(({ id }) => id));
  },
  last: {
    read: () => order.last,
    write: (conversation) => say({ what: "shown", conversation }),
  },
});
const { surfaces, registry, ledgers } = service;

registry.follow((session) => {
  session.onEvent((event) => {
    if (event.type !== "ended" && event.type !== "patch-state") return;
    const turn = session.state.turns.find(({ id }) => id === event.turn);
    if (turn !== undefined && turn.status !== "running")
      say({ what: "turn", conversation: session.id, turn });
  });
});

const fromPage = new Emitter<unknown>();
surfaces.openPage({ post: (message) => say({ what: "page", message }), onMessage: fromPage.on });

function figures(): Figures {
  const { timers, listeners } = countLiveObjects();
  global.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const isLinux = process.platform === "linux";
  const descriptors = isLinux ? readdirSync("/proc/self/fd").length : undefined;
  return { heap: heapUsed + arrayBuffers, timers, listeners, descriptors };
}

async function fulfil(wish: Wish): Promise<Figures | undefined> {
  switch (wish.what) {
    case "new":
      await surfaces.newConversation();
      return undefined;
    case "open":
      await surfaces.open(wish.conversation);
      return undefined;
    case "accept": {
      const { changes } = surfaces.session.patches;
      await changes.accept(await changes.hunksOf([wish.call]));
      return undefined;
    }
    case "reject":
      await surfaces.session.patches.changes.rejectCall(wish.call);
      return undefined;
    case "undo":
      await surfaces.session.patches.changes.undo([wish.call]);
      return undefined;
    case "figures":
      await ledgers.flush();
      return figures();
    case "close":
      await service.close();
      return undefined;
  }
}

process.on("message", (message: ToDay) => {
  if (message.what === "page") fromPage.fire(message.message);
  else
    fulfil(message.wish).then(
      (found) => say({ what: "done", number: message.number, ...(found && { figures: found }) }),
      (error: unknown) => say({ what: "done", number: message.number, failed: String(error) }),
    );
});
say({ what: "ready" });
