// The settings that the page follows, each named `patchbay.chat.…`. Does not use schemas: the page renders before they
// are loaded.

/** The declarations for VS Code's settings; `chat.ts` in the settings adds the texts. */
export const preferences = {
  sendKey: { enum: ["enter", "modEnter"], default: "enter" },
  scroll: { enum: ["follow", "anchorTop", "off"], default: "follow" },
  reasoning: { enum: ["headline", "preview", "expanded"], default: "preview" },
  textDirection: { enum: ["auto", "ltr", "rtl"], default: "auto" },
  renderMath: { default: true },
  renderMermaid: { default: true },
  /** Suggested context is sent unless the user removed it. */
  attachActiveEditor: { default: false },
} as const;

type Table = typeof preferences;
type PreferenceName = keyof Table;
type ValueOf<Name extends PreferenceName> = Table[Name] extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : boolean;

export type Preferences = { readonly [Name in PreferenceName]: ValueOf<Name> };

const names = Object.keys(preferences) as PreferenceName[];

/** Uses the default for values that are not valid: a settings file may contain anything. */
export function readPreferences(read: (name: PreferenceName) => unknown): Preferences {
  return Object.fromEntries(
    names.map((name) => {
      const value = read(name);
      return [name, isValueOf(name, value) ? value : preferences[name].default];
    }),
  ) as Preferences;
}

export const defaultPreferences: Preferences = readPreferences(() => undefined);

export const arePreferences = (value: unknown): value is Preferences =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => isValueOf(name, (value as Readonly<Record<string, unknown>>)[name]));

function isValueOf(name: PreferenceName, value: unknown): boolean {
  const declared = preferences[name];
  return "enum" in declared ? declared.enum.some((each) => each === value) : typeof value === "boolean";
}
