// A separate script, loaded with the first finished diagram: it asks the host for pictures and shows them.
import { diagramViews } from "../diagrams/diagram-views.ts";

globalThis.patchbayDiagramViews = diagramViews;
