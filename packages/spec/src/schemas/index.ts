/** The check of values against the schemas of the document, as the platform does it. */
export { expectedNumber, typeName } from "./expectation.ts";
export { isMailAddress } from "./mail-address.ts";
export { placeOf, type MemberNoun, type SchemaProblem } from "./problems.ts";
export { isLargerThan } from "./sample.ts";
export {
  fullyChecked,
  SchemaSet,
  withSample,
  type Components,
  type SchemaValidator,
} from "./schema-set.ts";
export { shown } from "./shown.ts";
export { suggestion } from "./suggestion.ts";
