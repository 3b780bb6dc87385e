// What is alive in this process, counted by its own engine after it has collected all garbage: whatever nobody can reach any
// more does not count, and what somebody has forgotten to give up does.
import { Session } from "node:inspector";
import { Emitter } from "../../../src/util/emitter.ts";

export interface LiveObjects {
  /** Timers that run, also those that keep no process alive. */
  readonly timers: number;
  /** Of our emitters and of signals; a connection that waits for its next request has others, which come and go. */
  readonly listeners: number;
}

/** A value in the engine's own words. */
interface Remote {
  readonly objectId?: string;
  readonly value?: unknown;
}

export function countLiveObjects(): LiveObjects {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  Object.assign(globalThis, { counted: [Emitter, timer.constructor, EventTarget] });
  const engine = new Session();
  engine.connect();
  const ask = <T>(method: string, parameters: object): T => {
    let answer: unknown;
    engine.post(method, { ...parameters, objectGroup: "counted" }, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer as T;
  };
  const callOn = ({ objectId }: Remote, functionDeclaration: string, returnByValue: boolean): Remote =>
    ask<{ result: Remote }>("Runtime.callFunctionOn", { objectId, functionDeclaration, returnByValue })
      .result;
  const numberOn = (remote: Remote, count: string) => Number(callOn(remote, count, true).value);
  const partsOf = ({ objectId }: Remote) =>
    ask<{ result: Named[]; privateProperties?: Named[] }>("Runtime.getProperties", {
      objectId,
      ownProperties: true,
    });
  try {
    // Of a kind each: among all objects there are some that the engine has not finished making.
    const [emitters, timers, targets] = [0, 1, 2].map((kind) => {
      const expression = `counted[${kind}].prototype`;
      const { result } = ask<{ result: Remote }>("Runtime.evaluate", { expression });
      return ask<{ objects: Remote }>("Runtime.queryObjects", { prototypeObjectId: result.objectId }).objects;
    }) as [Remote, Remote, Remote];
    let ours = 0;
    for (const { name, value } of partsOf(emitters).result) {
      if (value === undefined || !/^\d+$/.test(name)) continue;
      // A private field is told of one object at a time.
      const set = partsOf(value).privateProperties?.find((field) => field.name === "#listeners")?.value;
      if (set === undefined) throw new Error("An emitter keeps its listeners elsewhere by now.");
      ours += numberOn(set, "function () { return this.size; }");
    }
    return {
      timers: numberOn(timers, runningTimers),
      listeners: ours + numberOn(targets, listenersOfTargets),
    };
  } finally {
    engine.post("Runtime.releaseObjectGroup", { objectGroup: "counted" });
    engine.disconnect();
  }
}

interface Named {
  readonly name: string;
  readonly value?: Remote;
}

const runningTimers = "function () { return this.filter((one) => !one._destroyed).length; }";

/** Node keeps them in a map by kind, under a symbol. */
const listenersOfTargets = `function () {
  let sum = 0;
  for (const one of this) {
    const key = Object.getOwnPropertySymbols(one).find(({ description }) => description === "kEvents");
    for (const { size = 0 } of one[key]?.values() ?? []) sum += size;
  }
  return sum;
}`;
