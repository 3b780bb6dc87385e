// Every sentence that goes to the page or onto the disk, by its code. What stands in it is in braces. Labels that a file of
// the editor or of the page says itself are not here: they stand beside what shows them.
import { commandDetails, places } from "./chat-messages.ts";
import { checks } from "./check-messages.ts";
import type { diagnostics } from "./diagnostic-messages.ts";
import { edits, fileReasons, files } from "./file-messages.ts";
import { notes } from "./note-messages.ts";
import { cautions, patches, patchReasons } from "./patch-messages.ts";
import { problems } from "./problem-messages.ts";
import { risk } from "./risk-messages.ts";
import { connection, service } from "./service-messages.ts";
import { storage } from "./storage-messages.ts";
import { tools } from "./tool-messages.ts";

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
