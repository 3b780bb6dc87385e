// What stands around the question box: where a person is, and what the ready-made questions are for.

export const places = {
  placeTraced: "patchbay.trace: every request and every reply is written to the Patchbay log.",
  placeModel: "patchbay.model.default: {model} is none of the known models; it is asked as one that chats.",
  placeProfile: "patchbay.service.profile: {name} can't be used as it is set, so the default applies.",
  placeRestricted:
    "Restricted Mode: until you trust this folder the model reads none of its files and changes nothing.",
  placeNoFolder: "No folder is open: there are no files for the model to read or change.",
  placeNoService: "Patchbay could not open its conversations; the log says why.",
} as const;

/** Those that a person has saved speak for themselves. */
export const commandDetails = {
  commandExplain: "Say what it is for, how it works, what is easy to miss",
  commandFix: "Find the cause and repair it",
  commandRefactor: "Make it easier to read, with the same behaviour",
  commandTests: "Write tests in the style of this workspace",
  commandDocs: "Add documentation where it helps",
  commandReview: "List what is wrong or risky, the worst first",
  commandEdit: "Carry out what you describe",
  commandTerminal: "Say what happened in the attached terminal text",
  commandCell: "Write the attached notebook cell anew, as you describe",
  commandCommit: "Write a commit message for the attached diff",
} as const;
