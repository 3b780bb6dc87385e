// Texts of a repository reach a model only once a person has agreed to them; the question shows how each begins, how much
// more there is, and the whole of them as a document. What was agreed to is kept by hash on the person's side, so that a
// changed text asks again, and nothing in a workspace can agree for them.
import { message } from "../../conversation/messages.ts";
import type { ProblemAction } from "../../conversation/problem.ts";
import type { OpenQuestion } from "../spend-guard.ts";
import type { InstructionFile } from "./instruction-files.ts";

/** The texts that a person has agreed to, by hash. */
export interface AgreedTexts {
  has(sha256: string): boolean;
  add(sha256: string): unknown;
}

type AskedFile = Pick<InstructionFile, "path" | "text" | "sha256" | "heading" | "applyTo">;
type Ask = (question: Omit<OpenQuestion, "id">) => Promise<ProblemAction | undefined>;

/** All texts of one question together. */
const maxShown = 12_000;
const leastShown = 300;
const maxNamed = 6;

export class InstructionConsent {
  readonly #agreed: AgreedTexts;
  /** Asked about again in the next window, so that a hasty no does not last. */
  readonly #declined = new Set<string>();

  constructor(agreed: AgreedTexts) {
    this.#agreed = agreed;
  }

  has({ sha256 }: Pick<InstructionFile, "sha256">): boolean {
    return this.#agreed.has(sha256);
  }

  /** A text that was left out is asked about again. */
  reconsider({ sha256 }: Pick<InstructionFile, "sha256">): void {
    this.#declined.delete(sha256);
  }

  /**
   * Asks about all that nobody has answered for yet, in one question. Returns false if the person wants nothing to be
   * sent now. `canKeep`: whether they can choose that.
   */
  async settle(files: readonly AskedFile[], ask: Ask, canKeep: boolean): Promise<boolean> {
    const open = files.filter(({ sha256 }) => !this.#agreed.has(sha256) && !this.#declined.has(sha256));
    if (open.length === 0) return true;
    const answer = await ask(questionOf(open, canKeep));
    if (answer === "send-anyway") for (const { sha256 } of open) this.#agreed.add(sha256);
    if (answer === "leave-out") for (const { sha256 } of open) this.#declined.add(sha256);
    return answer === "send-anyway" || answer === "leave-out";
  }
}

function namesOf(files: readonly AskedFile[]): string {
  const more = files.length - maxNamed;
  const named = files.slice(0, maxNamed).map(({ path }) => path);
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

/** All of a file that the model is told. */
const wordsOf = ({ heading, applyTo, text }: AskedFile): string =>
  [heading, applyTo, text].filter((each) => each !== undefined).join("\n\n");

function questionOf(files: readonly AskedFile[], canKeep: boolean): Omit<OpenQuestion, "id"> {
  const texts = files.map((file) => ({ path: file.path, text: wordsOf(file) }));
  const share = Math.max(leastShown, Math.floor(maxShown / files.length));
  const shown = texts.map(({ path, text }) => {
    const more = text.length - share;
    return `${path}\n\n${text.slice(0, share)}${more > 0 ? ` … (+${more})` : ""}`;
  });
  const isCut = texts.some(({ text }) => text.length > share);
  return {
    kind: "limit",
    message: message("questionInstructions", { names: namesOf(files) }),
    detail: shown.join("\n\n———\n\n"),
    actions: [
      "send-anyway",
      "leave-out",
      ...(canKeep ? (["keep-draft"] as const) : []),
      ...(isCut ? (["read-whole"] as const) : []),
    ],
    ...(isCut && { texts }),
  };
}
