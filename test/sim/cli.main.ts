// `npm run sim`: the simulator for people. Prints where it listens and with which key, and answers as the built-in
// assistant until it is stopped.
import { createAssistant } from "./assistant/assistant.ts";
import { readOptions } from "./cli-options.ts";
import { startProxy } from "./proxy.ts";
import { startSimulator } from "./simulator.ts";

const asked = readOptions(process.argv.slice(2));
if ("text" in asked) {
  (asked.exitCode === 0 ? console.log : console.error)(asked.text);
  process.exit(asked.exitCode);
}

const { port, pace, proxy: kind, ...chosen } = asked;
const sim = await startSimulator({
  ...chosen,
  port,
  files: ["file-report-2026", "file-notes", "file-picture"],
  assistant: createAssistant({ pace }),
}).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "EADDRINUSE") throw error;
  console.error(`Port ${port} is taken; choose another with --port, or 0 for any.`);
  process.exit(1);
});

console.log(`Service URL   ${sim.url}`);
console.log(`Key           ${sim.key}`);
console.log("Files         file-report-2026, file-notes, file-picture");
if (kind !== "none") {
  const proxy = await startProxy(Number(new URL(sim.url).port), {
    ...(kind === "login" && { login: `Basic ${Buffer.from("me:word").toString("base64")}` }),
    ...(kind === "hang" && { hangs: "asked" }),
  });
  // Nobody goes to this machine through a proxy, so the simulator has another name behind it.
  console.log(`Proxy         ${proxy.url}${kind === "login" ? ", login me, password word" : ""}`);
  console.log(`PAC file      ${proxy.pacUrl}`);
  console.log("Through it    http://simulator.internal");
}
console.log("Ctrl-C ends it.");

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void sim.close().then(() => process.exit(0)));
