// Every sentence that crosses a border of the house, by its code. What stands in it is in braces. Labels that a file of the
// editor or of the page says itself are not here: they stand beside what shows them.
import { checks } from "./checks.ts";
import { commandDetails } from "./commands.ts";
import { connection } from "./connection.ts";
import { edits } from "./edits.ts";
import { fileReasons, files } from "./files.ts";
import { kept } from "./kept.ts";
import { notes } from "./notes.ts";
import { cautions, patches, patchReasons } from "./patches.ts";
import { places } from "./places.ts";
import { problems } from "./problems.ts";
import { service } from "./service.ts";
import { tools } from "./tools.ts";

export const catalogue = {
  ...files,
  ...fileReasons,
  ...notes,
  ...patches,
  ...patchReasons,
  ...cautions,
  ...tools,
  ...edits,
  ...problems,
  ...kept,
  ...service,
  ...connection,
  ...checks,
  ...places,
  ...commandDetails,
} as const;

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
