// What goes to the page or onto the disk. The rest of the catalogue is said by the host alone, and the page does without it.
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

export const travelling = {
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
  ...places,
  ...commandDetails,
} as const;
