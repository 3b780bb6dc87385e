// `npm run sim`: the simulator for people. Prints where it listens and with which key, and answers as the built-in
// assistant until it is stopped.
import { parseArgs } from "node:util";
import { createAssistant } from "./assistant/assistant.ts";
import { type ProfileName, profileNames } from "./profiles.ts";
import { startSimulator } from "./simulator.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4141" },
    key: { type: "string", default: "sk-simulator-0123456789abcdef" },
    /** Milliseconds between two words. */
    pace: { type: "string", default: "25" },
    profile: { type: "string", default: "standard" },
    nonce: { type: "string", default: "svc-request-nonce" },
  },
});

if (!isProfile(values.profile))
  throw new Error(`There is no profile ${values.profile}: ${profileNames.join(", ")}.`);

const sim = await startSimulator({
  port: Number(values.port),
  key: values.key,
  profile: values.profile,
  nonceHeader: values.nonce,
  files: ["file-report-2026", "file-notes", "file-picture"],
  assistant: createAssistant({ pace: Number(values.pace) }),
}).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "EADDRINUSE") throw error;
  console.error(`Port ${values.port} is taken; choose another with --port, or 0 for any.`);
  process.exit(1);
});

console.log(`Base address  ${sim.url}`);
console.log(`Key           ${sim.key}`);
console.log("Files         file-report-2026, file-notes, file-picture");
console.log("Ctrl-C ends it.");

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void sim.close().then(() => process.exit(0)));

function isProfile(name: string): name is ProfileName {
  return profileNames.some((each) => each === name);
}
