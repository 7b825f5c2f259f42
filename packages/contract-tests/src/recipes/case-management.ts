import { caseOperations, caseResources } from "./case-management/cases.ts";
import {
  configurationOperations,
  configurationResources,
} from "./case-management/configuration.ts";
import { fileOperations, fileResources } from "./case-management/files.ts";
import type { CollectionRecipe } from "./recipe.ts";

export const caseManagement: CollectionRecipe = {
  resources: { ...caseResources, ...configurationResources, ...fileResources },
  operations: { ...caseOperations, ...configurationOperations, ...fileOperations },
};
