/** What people who listen jump between, and what a conversation is called that nobody has named. */
export const firstLine = (prompt: string): string => prompt.trimStart().split("\n", 1)[0]?.slice(0, 80) ?? "";
