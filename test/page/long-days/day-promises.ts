// What a person was shown on a long day, and whether it lies on the disk: once, whole, and as it was shown.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Turn } from "../../../src/conversation/state.ts";
import { type KeptOnDisk, readKept } from "../../support/kept-on-disk.ts";
import { holdsQuestion, questionsIn, runTogether } from "../../support/questions-in.ts";
import { type FromDay, workspaceFolder } from "./day-order.ts";
import { patched } from "./day-steps.ts";

interface Ended {
  readonly conversation: string;
  readonly turn: Turn;
}

export class DayPromises {
  /** Questions of which the service knows. */
  readonly heard = new Set<string>();
  /** Questions that have left the box since the host was started, or were written over in it. */
  readonly sent = new Set<string>();
  /** Turns that were shown as ended, by id. */
  readonly ended = new Map<string, Ended>();
  /** Patches that are being taken back: they may be, or not yet. */
  readonly undoing = new Set<string>();

  take(message: FromDay): void {
    if (message.what === "turn") this.ended.set(message.turn.id, message);
    else if (message.what === "page" && message.message.type === "taken")
      this.sent.add(message.message.prompt);
  }

  /** Conversations with a patch that was being taken back when the host was killed. */
  inDoubt(): string[] {
    return [...this.ended.values()]
      .filter(({ turn }) => this.#isInDoubt(turn))
      .map((one) => one.conversation);
  }

  /** What became of those patches is what the disk says, once their conversations were opened again. */
  async settle(folder: string): Promise<void> {
    const { conversations } = await readKept(folder);
    for (const { id, turns } of conversations)
      for (const turn of turns)
        if (this.ended.get(turn.id)?.conversation === id && this.#isInDoubt(turn))
          this.ended.set(turn.id, { conversation: id, turn });
    this.undoing.clear();
  }

  #isInDoubt({ parts }: Turn): boolean {
    return parts.some((part) => part.type === "patch" && this.undoing.has(part.call));
  }

  /** How turns and patches have ended, each way once. */
  outcomes(): string[] {
    const all = [...this.ended.values()].flatMap(({ turn: { status, parts } }) => [
      status,
      ...parts.flatMap((part) => (part.type === "patch" ? [`patch ${part.status}`] : [])),
    ]);
    return [...new Set(all)].sort();
  }

  /** What is not kept, one sentence each. */
  async broken(folder: string, root: string): Promise<string[]> {
    const kept = await readKept(folder);
    return [...kept.damage, ...this.#questions(kept), ...this.#turns(kept), ...this.#patches(root)];
  }

  #questions({ conversations, drafts, sent }: KeptOnDisk): string[] {
    const asked = conversations.flatMap(({ turns }) => turns.map(({ prompt }) => prompt));
    const prompts = questionsIn(...asked);
    const times = (question: string) => prompts.filter((prompt) => prompt === question).length;
    const isAsked = (question: string) => holdsQuestion(question, ...asked);
    const waits = (question: string) => holdsQuestion(question, ...drafts, ...sent);
    return [
      ...runTogether(...asked, ...drafts, ...sent).map((one) => `"${one}" are questions that ran together`),
      ...[...new Set(prompts)].filter((one) => times(one) > 1).map((one) => `"${one}" is there twice`),
      ...[...this.heard].filter((one) => !isAsked(one)).map((one) => `"${one}" was heard, and is lost`),
      ...[...this.sent]
        .filter((one) => !isAsked(one) && !waits(one))
        .map((one) => `"${one}" was sent, and is nowhere`),
    ];
  }

  #turns({ conversations }: KeptOnDisk): string[] {
    const found: string[] = [];
    for (const { conversation, turn } of this.ended.values()) {
      const turns = conversations.find(({ id }) => id === conversation)?.turns ?? [];
      const [one, ...others] = turns.filter(({ id }) => id === turn.id);
      if (one === undefined) found.push(`"${turn.prompt}" has ended, and is lost`);
      else if (others.length > 0) found.push(`"${turn.prompt}" is there ${others.length + 1} times`);
      else if (!isDeepStrictEqual(this.#settled(one), this.#settled(turn)))
        found.push(`"${turn.prompt}" is something else: ${JSON.stringify(one)} was ${JSON.stringify(turn)}`);
    }
    return found;
  }

  /** Without what is changing just now. */
  #settled(turn: Turn): unknown {
    const parts = turn.parts.map((part) =>
      part.type === "patch" && this.undoing.has(part.call) ? { ...part, status: "undone", files: [] } : part,
    );
    return JSON.parse(JSON.stringify({ ...turn, parts }));
  }

  #patches(root: string): string[] {
    const text = readFileSync(join(root, workspaceFolder, patched), "utf8");
    const lines = text.trimEnd().split("\n");
    const isThere = (line: string) => lines.includes(line);
    const found: string[] = [];
    if (new Set(lines).size < lines.length) found.push(`a patch was applied twice: ${text}`);
    if (lines[0] !== "first" || lines.at(-1) !== "last") found.push(`a patch was half applied: ${text}`);
    for (const { turn } of this.ended.values())
      for (const part of turn.parts) {
        if (part.type !== "patch" || this.undoing.has(part.call)) continue;
        if (part.status === "applied" && !isThere(turn.prompt))
          found.push(`the patch of "${turn.prompt}" is lost`);
        const isOut = part.status === "undone" || part.status === "rejected";
        if (isOut && isThere(turn.prompt)) found.push(`"${turn.prompt}" is ${part.status}, and in the file`);
      }
    return found;
  }
}
