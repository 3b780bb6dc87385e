// What comes of a setting that a workspace may set, too: it can only lower what the user allows, or choose among it. Each
// such setting has its rule here; one without a rule does not compile. Pure.
import { defaultOutputLimit } from "../core/conversation/output-limit.ts";
import type { WorkspaceSetting } from "./manifest.ts";

/**
 * `model`: one of those that the user allows. `limit`: a smaller number. `tier`: a cache that costs no more. `more`: a
 * list of what is forbidden, to which everybody adds. `fewer`: a list of what is shown, from which everybody takes.
 * `off`: what one switches off no other switches on. `look`: how a thing is shown that is there either way.
 */
type Rule = "model" | "limit" | "tier" | "more" | "fewer" | "off" | "look";

export const workspaceRules: Readonly<Record<WorkspaceSetting, Rule>> = {
  "model.default": "model",
  "model.edit": "model",
  "cache.ttl": "tier",
  "output.maxTokens": "limit",
  "output.maxTokensForActions": "limit",
  "agent.disabledTools": "more",
  "context.alsoIgnore": "more",
  "context.maxFileKiB": "limit",
  "instructions.workspaceFile": "off",
  "patch.alsoProtected": "more",
  "patch.saveAfterApply": "off",
  "patch.style": "look",
  "codeActions.enabled": "off",
  "status.show": "fewer",
};

export interface SettingValues {
  /** What the user has set, or else the default. */
  readonly user: unknown;
  /** What workspace, folders and a remote machine have set, the nearest last. */
  readonly others: readonly unknown[];
}

export function effective(
  key: WorkspaceSetting,
  { user, others }: SettingValues,
  isAllowedModel: (id: string) => boolean,
): unknown {
  const rule = workspaceRules[key];
  switch (rule) {
    case "model":
      return others.findLast((id) => typeof id === "string" && isAllowedModel(id)) ?? user;
    case "limit":
      return lowest(user, others);
    case "tier":
      return others.findLast((tier) => isCheap(tier) || (tier === "1h" && user === "1h")) ?? user;
    case "more":
      return [...new Set([user, ...others].flatMap(listOf))];
    case "fewer":
      return listOf(user).filter((each) =>
        others.every((list) => !Array.isArray(list) || list.includes(each)),
      );
    case "off":
      return user === true && !others.includes(false);
    case "look":
      return others.at(-1) ?? user;
    default:
      return rule satisfies never;
  }
}

/** A number that cannot be kept is passed on where it is the user's own: it is refused with a sentence. */
function lowest(user: unknown, others: readonly unknown[]): unknown {
  const most = user === null ? defaultOutputLimit : user;
  if (!isCount(most)) return user;
  const lower = others.filter(isCount).filter((limit) => limit < most);
  return lower.length === 0 ? user : Math.min(...lower);
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0;

/** The default of the service is the short one. */
const isCheap = (tier: unknown): boolean => tier === "default" || tier === "5m";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
