// An error made to be read by people: its message is one sentence, complete by itself, and is shown as it is.

export class HumanError extends Error {
  override readonly name = "HumanError";
}
