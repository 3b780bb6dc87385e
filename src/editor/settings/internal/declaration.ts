// The structure of a declared setting. Everything else about settings (package.json, its two language files, the tables
// of the README and of SETTINGS.md) is generated from these declarations by `npm run settings`.
import type { Rule } from "../read-settings.ts";

/** A text in both languages, anywhere in a schema. */
interface Words {
  readonly en: string;
  readonly zh: string;
}

/** A value in a schema as VS Code reads it, with texts that are displayed. */
type SchemaValue =
  | string
  | number
  | boolean
  | null
  | Words
  | readonly SchemaValue[]
  | { readonly [name: string]: SchemaValue };

interface Declared {
  /** Markdown. Its first sentence is used in the tables. */
  readonly description: Words;
  /** Including its `default`. */
  readonly schema: { readonly [name: string]: SchemaValue };
  /** VS Code shows it only when searching for `@tag:advanced`. */
  readonly isAdvanced?: true;
  /** Listed in the README, among the few that most people change. */
  readonly isInReadme?: true;
  /** Specific to one service or machine, so Settings Sync skips it. */
  readonly ignoreSync?: true;
}

/** Read from the user's own settings only: decides where the key goes, or what is spent, sent, or run unasked. */
interface OfUser extends Declared {
  readonly scope: "application";
}

/** A workspace may set it too; `rule` says how far. */
interface OfWorkspace extends Declared {
  readonly scope: "resource" | "window";
  readonly rule: Rule;
}

export type Declaration = OfUser | OfWorkspace;

/** A group of settings, in display order. */
export interface Group {
  readonly title: Words;
  readonly settings: Readonly<Record<string, Declaration>>;
}

/** Preserves the names and rules as types. */
export const group = <const Settings extends Readonly<Record<string, Declaration>>>(declared: {
  readonly title: Words;
  readonly settings: Settings;
}) => declared;
