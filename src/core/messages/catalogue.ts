// Every sentence that crosses a border of the house, by its code. What stands in it is in braces. Labels that a file of the
// editor or of the page says itself are not here: they stand beside what shows them.
import { checks } from "./checks.ts";
import { requests } from "./requests.ts";
import { travelling } from "./travelling.ts";

export const catalogue = { ...travelling, ...checks, ...requests } as const;

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
