export type { Derivation, Field, Fields, FieldType, Scalar } from "./fields.ts";
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
} from "./predicate.ts";
