// A tool that cannot do what it was asked says so by throwing this: the sentence is written for the model, which
// may then ask better. It is never a failure of the turn, and never a bug.

export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** A person, or what a person has set, said no. */
export class Declined extends Refusal {}
