import type { CalledOperation, JsonSchema } from "@security-platform/spec";
import { expectedNumber } from "@security-platform/spec/schemas";
import { Option } from "commander";
import { offering } from "../options/offer.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { problemOf, valueOf } from "./check-value.ts";
import { hasType, isScalar, resolved, type Schema } from "./schema.ts";

/** An option of a command that sets a parameter or a member of the body. */
export interface Flag {
  readonly option: Option;
  readonly target: "parameter" | "body";
  /** The name in the document. */
  readonly name: string;
  readonly required: boolean;
}

const groups = { parameter: "Parameters:", body: "Body:" } as const;

/**
 * A flag for each parameter, and for each member of the body that is a scalar or a list of scalars. `taken`:
 * the long names of the command's other options. A member with a name that is taken gets the prefix `body-`.
 * Secret members have no flag, because other users can see arguments.
 */
export function flagsOf(operation: CalledOperation, taken: ReadonlySet<string>): readonly Flag[] {
  const used = new Set(taken);
  const flags: Flag[] = [];
  const add = (
    target: Flag["target"],
    name: string,
    schema: Schema,
    required: boolean,
    description = schema.description ?? "",
  ): void => {
    const plain = `--${name.toLowerCase().replaceAll("_", "-")}`;
    const long = used.has(plain) ? plain.replace("--", `--${target}-`) : plain;
    used.add(long);
    const option = optionOf(long, schema, description, target);
    if (option.parseArg !== undefined && isId(name)) {
      offering(option.parseArg, async (line) => {
        const { idsOfRecords } = await import("./record-ids.ts");
        return idsOfRecords(operation, name, line);
      });
    }
    flags.push({ option, target, name, required });
  };
  for (const { name, required, description, schema } of operation.parameters) {
    // `--limit` of a list counts all entries, not those of one page.
    if (name === "limit" && operation.paging !== "none") continue;
    add("parameter", name, resolved(schema), required, description);
  }
  for (const [name, reference] of Object.entries(bodyMembers(operation))) {
    const schema = resolved(reference);
    if (schema.format === "password" || !(isScalar(schema) || isScalarList(schema))) continue;
    add("body", name, schema, requiredMembers(operation).includes(name));
  }
  return flags;
}

const isScalarList = (schema: Schema): boolean =>
  hasType(schema, "array") && !hasType(schema, "object") && isScalar(resolved(schema.items));

const bodySchema = ({ requestBody }: CalledOperation): Schema => resolved(requestBody?.schema);

const bodyMembers = (operation: CalledOperation): Readonly<Record<string, JsonSchema>> =>
  bodySchema(operation).properties ?? {};

const requiredMembers = (operation: CalledOperation): readonly string[] =>
  bodySchema(operation).required ?? [];

function optionOf(
  long: string,
  schema: Schema,
  description: string,
  target: Flag["target"],
): Option {
  const isList = hasType(schema, "array");
  const isSwitch = hasType(schema, "boolean");
  const placeholder = isSwitch ? " [boolean]" : ` <${placeholderOf(schema)}${isList ? "..." : ""}>`;
  const option = new Option(`${long}${placeholder}`, described(description, schema)).helpGroup(
    groups[target],
  );
  const item = isList ? resolved(schema.items) : schema;
  const parser = (text: string, before: unknown): unknown => {
    const value = valueOf(item, text);
    const problem = problemOf(item as JsonSchema, value, long);
    if (problem !== undefined) {
      const hint = isList && text.includes(",") ? "; separate values by spaces" : "";
      throw new CommandError(`${problem}${hint} (--help lists the options)`, exitCodes.usage);
    }
    return isList ? [...((before as readonly unknown[] | undefined) ?? []), value] : value;
  };
  const choices = isSwitch ? ["true", "false"] : item.enum?.map(String);
  return option.argParser(choices === undefined ? parser : offering(parser, choices));
}

const isId = (name: string): boolean => /(^|_)ids?$/.test(name);

function placeholderOf(schema: Schema): string {
  if (schema.format === "binary") return "file";
  const item = hasType(schema, "array") ? resolved(schema.items) : schema;
  if (hasType(item, "integer", "number")) return "number";
  return "text";
}

/** The first sentence of a description, and what is expected. */
function described(description: string, schema: Schema): string {
  const [sentence = ""] = /^.*?[.](?=\s|$)/s.exec(description) ?? [description];
  const text = sentence
    .replace(/\.$/, "")
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  const item = hasType(schema, "array") ? resolved(schema.items) : schema;
  if (item.enum !== undefined) return `${text}: one of ${item.enum.join(", ")}`;
  const isLimited = item.minimum !== undefined || item.maximum !== undefined;
  return isLimited ? `${text}: ${expectedNumber(item as JsonSchema)}` : text;
}
