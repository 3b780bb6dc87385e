// The first day, in the package that users get.
import { theFirstDay } from "./first-day.ts";

theFirstDay("packed");
