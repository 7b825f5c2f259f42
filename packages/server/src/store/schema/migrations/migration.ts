import type { Connection, Dialect } from "../../dialects/dialect.ts";

/** One step of the fixed schema. Never edit a step that was released. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly up: (connection: Connection, dialect: Dialect) => Promise<void>;
}
