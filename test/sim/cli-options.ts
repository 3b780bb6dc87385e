// What can be said to `npm run sim -- …`, and what is answered to a word that nobody knows.
import { parseArgs } from "node:util";
import { type AskedProfile, aboutProfiles, isProfile } from "./profiles.ts";

export interface PeopleOptions {
  readonly port: number;
  readonly key: string;
  /** Milliseconds between two words. */
  readonly pace: number;
  readonly profile: AskedProfile;
  readonly nonceHeader: string;
  /** A company's proxy before it. */
  readonly proxy: (typeof proxies)[number];
}

const proxies = ["none", "open", "login", "hang"] as const;

/** Nothing is started: this is to be read first. */
export interface Notice {
  readonly text: string;
  readonly exitCode: 0 | 1;
}

const options = {
  port: { type: "string", default: "4141" },
  key: { type: "string", default: "sk-simulator-0123456789abcdef" },
  pace: { type: "string", default: "25" },
  profile: { type: "string", default: "standard" },
  nonce: { type: "string", default: "svc-request-nonce" },
  proxy: { type: "string", default: "none" },
  help: { type: "boolean", default: false },
} as const;

export function readOptions(args: readonly string[]): PeopleOptions | Notice {
  try {
    const {
      port,
      key,
      pace,
      profile,
      nonce,
      proxy: named,
      help,
    } = parseArgs({ args: [...args], options }).values;
    if (help) return { text: helpText(), exitCode: 0 };
    if (!isProfile(profile)) return refused(`There is no profile ${profile}.`);
    if (!/^\d{1,5}$/.test(port)) return refused(`${port} is no port.`);
    if (!/^\d+$/.test(pace)) return refused(`${pace} is no number of milliseconds.`);
    const proxy = proxies.find((each) => each === named);
    if (proxy === undefined) return refused(`There is no proxy ${named}.`);
    return { port: Number(port), key, pace: Number(pace), profile, nonceHeader: nonce, proxy };
  } catch (error) {
    // An option that does not exist, or one without its value; Node says which.
    return refused(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

function refused(sentence: string): Notice {
  return {
    text: `${sentence.replace(/\.?$/, ".")} "npm run sim -- --help" lists what there is.`,
    exitCode: 1,
  };
}

function helpText(): string {
  const rows: readonly (readonly [string, string])[] = [
    ["--port <number>", `where it listens; 0 takes any free port (${options.port.default})`],
    ["--key <key>", `the one it takes (${options.key.default})`],
    ["--pace <milliseconds>", `between two words (${options.pace.default})`],
    ["--nonce <header>", `the header whose value it signs (${options.nonce.default})`],
    [
      "--proxy <kind>",
      `a proxy before it, with a PAC file: ${proxies.join(", ")} (${options.proxy.default})`,
    ],
    ["--profile <name>", `what kind of service it is (${options.profile.default})`],
  ];
  return [
    "The service simulator, with an assistant that reads what it is sent: npm run sim -- [options]",
    "",
    ...columns(rows),
    "",
    "Profiles:",
    "",
    ...columns(aboutProfiles()),
  ].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
