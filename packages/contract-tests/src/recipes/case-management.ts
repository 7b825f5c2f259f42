import {
  configurationOperations,
  configurationResources,
} from "./case-management/configuration.ts";
import type { CollectionRecipe } from "./recipe.ts";

export const caseManagement: CollectionRecipe = {
  resources: { ...configurationResources },
  operations: { ...configurationOperations },
};
