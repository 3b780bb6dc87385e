// The service simulator: the four operations over real HTTP on loopback, answered from a script.
// Written from the interface; it shares nothing with the client, so that one mistake cannot hide the other.
import { startHttpServer } from "./http-server.ts";
import { type AskedProfile, profile as namedProfile, type Profile } from "./profiles.ts";
import type { SeenRequest } from "./request-log.ts";
import type { Answer, Fault, Part } from "./script.ts";
import { type Queue, Service, type Step } from "./service.ts";

export interface SimulatorOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number;
  readonly key?: string;
  /** Further keys, each an organization of its own. */
  readonly otherKeys?: readonly string[];
  readonly profile?: AskedProfile | Profile;
  readonly nonceHeader?: string;
  /** IDs of uploaded files. */
  readonly files?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Answers generations for which nothing is scripted. Without it they are unexpected. */
  readonly assistant?: Step;
}

export interface Simulator {
  readonly url: string;
  readonly key: string;
  readonly requests: readonly SeenRequest[];
  /** Broken rules and unexpected requests so far, one sentence each; `done` throws them. */
  readonly complaints: readonly string[];
  /** Replies that were generated, or may have been. */
  readonly generated: number;
  /** Files that exist. */
  readonly files: ReadonlySet<string>;
  /** Scripts the answer to the next generation, on either wire. */
  reply(...parts: readonly Part[]): void;
  /** As `reply`, decided when the request is there. */
  replyWith(step: Step): void;
  /** The next generation meets these faults or gets this answer, whatever it asks. */
  fault(...faults: readonly (Fault | Answer)[]): void;
  /** Scripts the next estimate or deletion; without an answer among the parts it is answered truly. */
  replyTo(operation: Queue, ...parts: readonly Part[]): void;
  /** Resolves with request number n (from 0) once it has arrived. */
  request(number: number): Promise<SeenRequest>;
  setProfile(profile: AskedProfile | Profile): void;
  /** The port refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Throws if something scripted was not asked for, something unscripted was, or a rule was broken. */
  done(): void;
  close(): Promise<void>;
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const key = options.key ?? "sk-simulator-0123456789abcdef";
  const service = new Service({
    keys: [key, ...(options.otherKeys ?? [])],
    profile: resolved(options.profile ?? "standard"),
    nonceHeader: options.nonceHeader ?? "svc-request-nonce",
    files: options.files ?? [],
    now: options.now ?? Date.now,
    assistant: options.assistant,
  });
  const server = await startHttpServer(
    options.port ?? 0,
    (request, connection) => service.answer(request, connection),
    () => void service.complaints.push("Something came that is no request of HTTP."),
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    key,
    requests: service.requests,
    complaints: service.complaints,
    get generated() {
      return service.generated;
    },
    files: service.files,
    reply: (...parts) => void service.queues.generation.push(() => parts),
    replyWith: (step) => void service.queues.generation.push(step),
    fault: (...faults) => void service.queues.generation.push(() => faults),
    replyTo: (operation, ...parts) => void service.queues[operation].push(() => parts),
    request: (number) => service.request(number),
    setProfile: (chosen) => {
      service.profile = resolved(chosen);
    },
    down: () => server.down(),
    up: () => server.up(),
    done: () => assertDone(service),
    close: () => server.down(),
  };
}

function resolved(chosen: AskedProfile | Profile): Profile {
  return typeof chosen === "string" ? namedProfile(chosen) : chosen;
}

function assertDone(service: Service): void {
  const leftovers = Object.entries(service.queues)
    .filter(([, steps]) => steps.length > 0)
    .map(([queue, steps]) => `Nobody asked for ${steps.length} scripted ${queue} answer(s).`);
  const complaints = [...service.complaints, ...leftovers];
  if (complaints.length === 0) return;
  const asked = service.requests.map(
    ({ path, body }) => `${path} ${endOf(body["input"] ?? body["messages"])}`,
  );
  throw new Error(
    `The simulator has complaints:\n- ${complaints.join("\n- ")}\nIt was asked:\n- ${asked.join("\n- ")}`,
  );
}

/** What a request ends with tells which one it is. */
function endOf(input: unknown): string {
  const last = Array.isArray(input) ? input.at(-1) : input;
  return JSON.stringify(last ?? "").slice(-160);
}
