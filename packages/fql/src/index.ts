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
  type Pattern,
  type StringLiteral,
  type Value,
} from "./ast.ts";
export { checkFilter, relativeTimes, usesNow } from "./check.ts";
export { evaluate, matches } from "./evaluate.ts";
export { fieldValues, type FilterRecord } from "./field-values.ts";
export type { Derivation, Field, Fields, FieldType, Scalar } from "./fields.ts";
export { canonicalIp } from "./ip.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { matchesGlob } from "./glob.ts";
export { lowerFilter } from "./lower.ts";
export { nearest } from "./nearest.ts";
export { parseFilter } from "./parser.ts";
export type {
  AnyOf,
  Between,
  Cidr,
  Compare,
  Equal,
  Glob,
  Leaf,
  OrderOperator,
  Predicate,
  Present,
  Text,
  Words,
} from "./predicate.ts";
export { printFilter } from "./print.ts";
export { parseSort, type SortKey } from "./sort.ts";
export { FqlSyntaxError, type FqlIssue } from "./syntax-error.ts";
export { compareCodePoints, foldCase, textKey, wordSequence, wordsOf } from "./text.ts";
export { canonicalTimestamp } from "./timestamp.ts";
export { where } from "./where.ts";
export { conditionsOf, mapFilter, visitFilter, type FilterVisitor } from "./visit.ts";
export { fql, type FilterBuilder } from "./builder/builder.ts";
export type {
  AbsoluteTime,
  FieldConditions,
  FilterableName,
  FilterOf,
  RelativeTime,
  ValueOf,
} from "./builder/field-types.ts";
