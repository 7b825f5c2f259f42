import type { Direction, Sides, Verdict } from "../../change.ts";
import type { Node } from "../../findings.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { RuleId } from "../../rules/rules.ts";
import type { Conjunction } from "../canonical.ts";
import type { SchemaReader } from "../schema-reader.ts";
import type { Subsumption } from "../subsumption.ts";

/** How schemas are compared at a place. */
export interface Mode {
  readonly direction: Direction;
  /**
   * The value, or each member of it, is written as text, as parameters are: every number is also a
   * string.
   */
  readonly textual?: "parameter" | "header" | "members" | "part" | undefined;
  /**
   * How a list is written, if a single value is written like a list of one: its items stand apart, or
   * are joined by a character that texts may contain.
   */
  readonly list?: "apart" | "joined";
  /**
   * How members of a form are written, other than text of which lists are repeated: in other ways, or as
   * JSON.
   */
  readonly parts?: Readonly<Record<string, "joined" | "other" | "json">>;
  /** The place is not used in this direction, such as a read-only member of a request. */
  readonly muted?: boolean;
  /** The names of the element or attribute of XML that the value becomes by default. */
  readonly xml?: Sides<string>;
  /** The value, or each of its members, is sent as it is, so that a schema may say nothing of it. */
  readonly raw?: "value" | "members" | "no";
  /** Clients always sent the value, so that its default has no effect on them. */
  readonly isAlwaysSent?: boolean;
  /** The value may be left out, and an empty list is written as nothing. */
  readonly isEmptyAbsent?: boolean;
  /** The schema is that of a parameter itself. */
  readonly place?: "parameter";
}

/** A pair of schemas under comparison, with what comparers need of it. */
export interface Site {
  readonly node: Node;
  readonly mode: Mode;
  readonly base: SchemaReader;
  readonly revision: SchemaReader;
  /** From base to revision; its `reverse` is the other way. */
  readonly subsumption: Subsumption;
  /** The day of the comparison, for dates of removal. */
  readonly today: Date;
  /** Reports a change of the schemas of this pair, at one of them or at the pair itself. */
  report(
    rule: RuleId,
    message: string,
    at?: {
      readonly base?: Conjunction;
      readonly revision?: Conjunction;
      readonly verdict?: Verdict;
      /** The change concerns the member of this name. */
      readonly member?: string;
      /** Where the schemas do not show the change. */
      readonly values?: Partial<Sides<Json>>;
    },
  ): void;
  /** Compares the deprecation and sunset of both schemas. */
  deprecation(base: readonly JsonObject[], revision: readonly JsonObject[]): void;
  /** Compares schemas inside of these. */
  descend(base: Conjunction, revision: Conjunction, mode?: Partial<Mode>): void;
}
