// Every sentence that goes to the page or onto the disk, by its code. What stands in it is in braces. Labels that a file of
// the editor or of the page says itself are not here: they stand beside what shows them.
import { commandDetails, places } from "./chat-messages.ts";
import { checks } from "./checks.ts";
import type { diagnostics } from "./diagnostics.ts";
import { edits, fileReasons, files } from "./file-messages.ts";
import { notes } from "./notes.ts";
import { cautions, patches, patchReasons } from "./patches.ts";
import { problems } from "./problem-messages.ts";
import { risk } from "./risk.ts";
import { connection, service } from "./service.ts";
import { storage } from "./storage-messages.ts";
import { tools } from "./tools.ts";

export const catalogue = {
  ...files,
  ...fileReasons,
  ...notes,
  ...patches,
  ...patchReasons,
  ...cautions,
  ...tools,
  ...checks,
  ...risk,
  ...edits,
  ...problems,
  ...storage,
  ...service,
  ...connection,
  ...places,
  ...commandDetails,
} as const;

/** With what the editor alone says; english.ts holds the sentences of both. */
export type Catalogue = typeof catalogue & typeof diagnostics;
export type Code = keyof Catalogue;
