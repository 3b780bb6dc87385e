// What stands around the question box: where a person is, and what the ready-made questions are for.

export const places = {
  placeTraced: "patchbay.trace: requests and responses are written to the Patchbay log.",
  placeModel: "patchbay.model.default: {model} isn't a known model, so it's used as a chat model.",
  placeProfile: "patchbay.service.profile: {name} can't be used as it is set, so the default applies.",
  placeRestricted: "Restricted Mode: the model can't read or change files until you trust this folder.",
  placeNoFolder: "No folder is open, so the model has no files to read or change.",
  placeNoService: "Patchbay couldn't open your conversations. See the log for details.",
} as const;

/** Those that a person has saved speak for themselves. */
export const commandDetails = {
  commandExplain: "Explain the purpose, how it works, and pitfalls",
  commandFix: "Find the cause and fix it",
  commandRefactor: "Make it easier to read, with the same behaviour",
  commandTests: "Write tests in the style of this workspace",
  commandDocs: "Add documentation where it helps",
  commandReview: "List problems and risks, worst first",
  commandEdit: "Make the change you describe",
  commandTerminal: "Explain the attached terminal text",
  commandCell: "Rewrite the attached notebook cell as you describe",
  commandCommit: "Write a commit message for the attached diff",
} as const;
