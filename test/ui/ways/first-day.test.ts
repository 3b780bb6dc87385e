// The first day, in the package that users get; with PATCHBAY_LONG in the folder in development too.
import { bothExtensions } from "../support/vscode-test.ts";
import { theFirstDay } from "./first-day.ts";

const isLong = process.env["PATCHBAY_LONG"] !== undefined;

for (const extension of isLong ? bothExtensions : (["packed"] as const)) theFirstDay(extension);
