// Hands what the page asks for to the host: every message its one method, and only where it can mean something.
import { asking } from "../core/conversation/asking.ts";
import type { PageSubject } from "./page-subject.ts";
import type { ToHost } from "./protocol.ts";

/** These the session answers itself. */
type Question = { type: "ready" | "earlier" | "complete" | "cost" };

export function takeAction(subject: PageSubject, message: Exclude<ToHost, Question>): void {
  switch (message.type) {
    case "send":
      subject.send(message.prompt, message.command);
      break;
    case "unqueue":
      subject.unqueue(message.id);
      break;
    case "send-queued":
      subject.sendQueued();
      break;
    case "attach":
      subject.attach(message.attachment);
      break;
    case "attach-uris":
      subject.attachUris(message.uris);
      break;
    case "pick":
      subject.pick(message.kind);
      break;
    case "detach":
      subject.detach(message.id);
      break;
    case "set-web-search":
      subject.setWebSearch(message.on);
      break;
    case "set-cache-tier":
      subject.setCacheTier(message.tier);
      break;
    case "run":
      subject.run(message.command);
      break;
    case "rename":
      if (message.title.trim() !== "") subject.rename(message.title.trim());
      break;
    case "stop":
      subject.stop();
      break;
    case "draft":
      subject.setDraft(message.text);
      break;
    case "choose-model":
      subject.chooseModel(message.model);
      break;
    case "act":
      subject.act(message.action);
      break;
    case "act-on-turn":
      // An id the conversation does not have is not a turn, whoever names it (threats B6).
      withTurn(subject, message.turn, () => subject.actOnTurn(message.turn, message.action));
      break;
    case "edit-turn":
      withTurn(subject, message.turn, () => subject.editTurn(message.turn, message.prompt));
      break;
    case "decide":
      if (isAsking(subject, message.call)) subject.decide(message.call, message.decision);
      break;
    case "act-on-call":
      if (isCall(subject, message.call)) subject.actOnCall(message.call, message.action);
      break;
    case "open-file":
      subject.openFile(message.path, message.line);
      break;
    case "copy":
      subject.copy(message.text);
      break;
    case "use-code":
      subject.useCode(message.use, message.code, message.language);
      break;
    case "focus":
      subject.setFocus(message.focus);
      break;
    case "open-link":
      subject.openLink(message.url);
      break;
    default:
      message satisfies never;
  }
}

function withTurn({ conversation }: PageSubject, id: string, run: () => void): void {
  if (conversation.turns.some((turn) => turn.id === id)) run();
}

function isCall({ conversation }: PageSubject, call: string): boolean {
  return conversation.turns.some(({ parts }) => parts.some((part) => "call" in part && part.call === call));
}

/** Only what waits for an answer can be answered, once (threats B6). A person's own patch waits below an ended answer. */
function isAsking({ conversation }: PageSubject, call: string): boolean {
  return conversation.turns.some((turn) => asking(turn).some((part) => "call" in part && part.call === call));
}
