import type { Bindable } from "./dialects/dialect.ts";

/** Index of a value among those that a statement is run with. */
export type SlotNumber = number;

/**
 * Gathers the values of a query while its plan is made. Plans hold slot numbers instead of values, so
 * that queries that differ in values only are one statement.
 */
export class Draft {
  readonly values: Bindable[] = [];
  readonly now: SlotNumber;

  constructor(now: string) {
    this.now = this.slot(now);
  }

  slot(value: Bindable): SlotNumber {
    return this.values.push(value) - 1;
  }
}
