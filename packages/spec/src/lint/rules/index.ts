import type { Rule } from "../rule.ts";
import { aliasesLeadSomewhere } from "./aliases-lead-somewhere.ts";
import { boundedIntegers } from "./bounded-integers.ts";
import { boundedStrings } from "./bounded-strings.ts";
import { closedRequests } from "./closed-requests.ts";
import { compiledTypes } from "./compiled-types.ts";
import { completeErrors } from "./complete-errors.ts";
import { completeXFql } from "./complete-x-fql.ts";
import { declaredPaging } from "./declared-paging.ts";
import { declaredWaits } from "./declared-waits.ts";
import { deprecationNamesSuccessor } from "./deprecation-names-successor.ts";
import { described } from "./described.ts";
import { explicitSecurity } from "./explicit-security.ts";
import { fileNameIsComponentName } from "./file-name-is-component-name.ts";
import { generatedTypes } from "./generated-types.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { inlineOperations } from "./inline-operations.ts";
import { methodNames } from "./method-names.ts";
import { noInlineObject } from "./no-inline-object.ts";
import { noOrphanFile } from "./no-orphan-file.ts";
import { noUnusedComponent } from "./no-unused-component.ts";
import { operationIdStyle } from "./operation-id-style.ts";
import { pathFileNameIsUrl } from "./path-file-name-is-url.ts";
import { rangedParameters } from "./ranged-parameters.ts";
import { referenceSiblings } from "./reference-siblings.ts";
import { sharedHeaders } from "./shared-headers.ts";
import { singularTag } from "./singular-tag.ts";
import { soundFqlTable } from "./sound-fql-table.ts";
import { typedArrays } from "./typed-arrays.ts";
import { validExamples } from "./valid-examples.ts";

export const rules: readonly Rule[] = [
  aliasesLeadSomewhere,
  boundedIntegers,
  boundedStrings,
  closedRequests,
  compiledTypes,
  completeErrors,
  completeXFql,
  declaredPaging,
  declaredWaits,
  deprecationNamesSuccessor,
  described,
  explicitSecurity,
  fileNameIsComponentName,
  generatedTypes,
  idempotencyKeys,
  inlineOperations,
  methodNames,
  noInlineObject,
  noOrphanFile,
  noUnusedComponent,
  operationIdStyle,
  pathFileNameIsUrl,
  rangedParameters,
  referenceSiblings,
  sharedHeaders,
  singularTag,
  soundFqlTable,
  typedArrays,
  validExamples,
];
