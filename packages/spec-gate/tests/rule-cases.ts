import { accessCases } from "./rule-cases/access.ts";
import { annotationsCases } from "./rule-cases/annotations.ts";
import { messagesCases } from "./rule-cases/messages.ts";
import { parametersCases } from "./rule-cases/parameters.ts";
import { schemasCases } from "./rule-cases/schemas.ts";

/** Two documents, and the findings in both directions, for every rule. */
export const cases = [
  ...schemasCases,
  ...parametersCases,
  ...messagesCases,
  ...accessCases,
  ...annotationsCases,
];
