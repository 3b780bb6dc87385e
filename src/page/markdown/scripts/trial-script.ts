// A separate script, loaded with the first tries at a question: it provides their card.
import { trialCard } from "../../view/trial/trial-card.ts";

globalThis.patchbayTrialCard = trialCard;
