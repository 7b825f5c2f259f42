export {
  and,
  everything,
  or,
  type And,
  type BooleanLiteral,
  type Condition,
  type Equality,
  type Everything,
  type Filter,
  type List,
  type Literal,
  type NullLiteral,
  type NumberLiteral,
  type Operator,
  type Or,
  type Ordering,
  type OrderOperator,
  type Pattern,
  type StringLiteral,
  type Value,
} from "./language/ast.ts";
export { checkFilter, relativeTimes, usesNow } from "./meaning/check.ts";
export { evaluate, matches } from "./meaning/evaluate.ts";
export { explainFilter, type Explanation } from "./meaning/explain.ts";
export { fieldValues, type FilterRecord } from "./meaning/field-values.ts";
export type { Derivation, Field, Fields, FieldType, Scalar } from "./meaning/fields.ts";
export { findField, type NamedField } from "./meaning/find-field.ts";
export { canonicalIp } from "./values/ip.ts";
export { defaultLimits, type Limits } from "./language/limits.ts";
export { matchesGlob } from "./values/glob.ts";
export { lowerFilter } from "./meaning/lower.ts";
export { nearest } from "./language/nearest.ts";
export { parseFilter } from "./language/parser.ts";
export type {
  AnyOf,
  Between,
  Cidr,
  Compare,
  Equal,
  Glob,
  Leaf,
  Predicate,
  Present,
  Text,
  Words,
} from "./meaning/predicate.ts";
export { printFilter } from "./language/print.ts";
export { parseSort, type SortKey } from "./meaning/sort.ts";
export { FqlSyntaxError, type FqlIssue } from "./language/syntax-error.ts";
export { compareCodePoints, foldCase, textKey, wordSequence, wordsOf } from "./values/text.ts";
export { canonicalInstant, canonicalTimestamp, hasZone } from "./values/timestamp.ts";
export { where } from "./meaning/where.ts";
export { conditionsOf, mapFilter, visitFilter, type FilterVisitor } from "./language/visit.ts";
export { fql, type FilterBuilder } from "./builder/builder.ts";
export type {
  AbsoluteTime,
  FieldConditions,
  FilterableName,
  FilterOf,
  RelativeTime,
  ValueOf,
} from "./builder/field-types.ts";
