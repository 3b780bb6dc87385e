// A node:test reporter that prints only what failed, in full.
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.details?.error?.failureType === "subtestsFailed") continue;
    const error = data.details?.error;
    const cause = error?.cause ?? error;
    yield `\n✖ ${data.name}\n  ${data.file ?? ""}\n${indent(cause?.stack ?? String(cause))}\n`;
  }
}

const indent = (text) => text.replace(/^/gm, "  ");
