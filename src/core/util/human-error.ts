// An error made to be read by people: its message is one sentence, complete by itself, and is shown as it is.

export class HumanError extends Error {
  override readonly name = "HumanError";
}

/** By name: the host is two files, and what one of them throws the other may have to show. */
export const isHumanError = (error: unknown): error is HumanError =>
  error instanceof Error && error.name === "HumanError";
