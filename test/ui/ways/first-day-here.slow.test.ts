// The first day, in the folder in development.
import { theFirstDay } from "./first-day.ts";

theFirstDay("development");
