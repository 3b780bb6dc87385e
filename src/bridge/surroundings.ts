// What stands around a conversation in the page: models, preferences, what the host is able to do. The page offers
// nothing that is not named here, so a button never leads nowhere.
import * as z from "zod/mini";
import { Problem } from "../core/conversation/problem.ts";

export const Ability = z.enum([
  "copy",
  "open-link",
  "regenerate",
  "retry",
  "continue",
  "branch",
  "inspect",
  "edit-turn",
  "decide",
  "review",
  "undo",
  "open-file",
]);
export type Ability = z.infer<typeof Ability>;

export const Preferences = z.object({
  sendKey: z.enum(["enter", "modEnter"]),
  scroll: z.enum(["anchorTop", "follow", "off"]),
  reasoning: z.enum(["headline", "preview", "expanded"]),
  textDirection: z.enum(["auto", "ltr", "rtl"]),
});
export type Preferences = Readonly<z.infer<typeof Preferences>>;

export const defaultPreferences: Preferences = {
  sendKey: "enter",
  scroll: "anchorTop",
  reasoning: "preview",
  textDirection: "auto",
};

export const ModelChoice = z.object({
  id: z.string(),
  label: z.string(),
  route: z.enum(["responses", "chat"]),
});
export type ModelChoice = Readonly<z.infer<typeof ModelChoice>>;

export const Surroundings = z.object({
  model: z.string(),
  models: z.array(ModelChoice),
  /** Why nothing can be sent yet: no base address, no key. */
  problem: z.optional(Problem),
  abilities: z.array(Ability),
  preferences: Preferences,
});
export type Surroundings = Readonly<z.infer<typeof Surroundings>>;
