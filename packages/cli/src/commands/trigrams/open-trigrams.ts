import type { Store } from "@security-platform/server/internal";
import { Argument } from "commander";
import { offeringListed } from "../../options/offering-listed.ts";
import { readText } from "../../options/read-text.ts";
import { CommandError } from "../../terminal/exit-codes.ts";

/** Throws `CommandError` if the engine has no indexes of trigrams. */
export function trigramsOf({ trigrams }: Store): NonNullable<Store["trigrams"]> {
  if (trigrams !== null) return trigrams;
  throw new CommandError(
    "indexes of trigrams are for PostgreSQL only; on SQLite, such filters read every record",
  );
}

/** `<field>`, such as `indicators.value`. */
export const fieldArgument = (): Argument =>
  new Argument("<field>", "kind of records and field, such as indicators.value").argParser(
    offeringListed(readText("a kind of records and a field"), "trigrams list", "field"),
  );
