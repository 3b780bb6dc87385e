// What the ready-made questions are for. Those that a person has saved speak for themselves.

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
