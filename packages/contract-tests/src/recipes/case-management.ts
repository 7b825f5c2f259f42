import { caseOperations, caseResources } from "./case-management/cases.ts";
import {
  configurationOperations,
  configurationResources,
} from "./case-management/configuration.ts";
import type { CollectionRecipe } from "./recipe.ts";

export const caseManagement: CollectionRecipe = {
  resources: { ...caseResources, ...configurationResources },
  operations: { ...caseOperations, ...configurationOperations },
};
