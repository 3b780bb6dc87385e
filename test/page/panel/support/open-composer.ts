// A panel whose box for the next question has the focus, in front of a host that offers everything it can be given.
import type { ViewState } from "../../../../src/bridge/view-state.ts";
import { openPanel } from "./panel.ts";
import { smallHost } from "./small-host.ts";

const equipped: Partial<ViewState> = {
  attachKinds: ["file", "folder", "selection", "problems"],
  commands: [
    { name: "explain", detail: "Explain the selection" },
    { name: "fix", detail: "Fix it" },
  ],
};

export async function openComposer(start: Parameters<typeof smallHost>[0] = {}) {
  const host = smallHost({ ...start, viewState: { ...equipped, ...start.viewState } });
  const panel = await openPanel(host);
  const box = panel.page.locator(".composer textarea");
  await box.focus();
  /** What the page asked for since the last time, without the drafts it always tells. */
  let heard = 0;
  const asked = async () => {
    await panel.settled();
    const news = host.asked.slice(heard).filter(([name]) => name !== "draft" && name !== "complete");
    heard = host.asked.length;
    return news;
  };
  return { host, panel, page: panel.page, box, asked };
}
