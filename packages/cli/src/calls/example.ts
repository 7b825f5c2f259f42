import type { CalledOperation } from "@security-platform/spec";
import { isDestructive } from "./request-options.ts";
import type { Flag } from "./flags.ts";
import { isObject } from "./is-object.ts";
import { commandOf } from "./operations.ts";
import { shellWord } from "../terminal/shell-word.ts";

/** Command lines with the values of the document's examples. */
export function exampleOf(operation: CalledOperation, flags: readonly Flag[]): readonly string[] {
  const { parameters, requestBody, paging } = operation;
  const body = requestBody?.example;
  const members = isObject(body) ? body : {};
  const hasAllFlags = Object.keys(members).every((name) =>
    flags.some((flag) => flag.target === "body" && flag.name === name),
  );
  const byFlag = flags.flatMap(({ option, target, name, required }) => {
    const value =
      target === "body"
        ? hasAllFlags
          ? members[name]
          : undefined
        : required || isUsual(name)
          ? parameters.find((each) => each.name === name)?.example
          : undefined;
    if (value === undefined) return [];
    if (option.isBoolean() || value === true) return [option.long ?? ""];
    const values = Array.isArray(value) ? value.slice(0, 2) : [value];
    const shown = target === "body" && option.flags.includes("<file>") ? ["./file"] : values;
    return [`${option.long} ${shown.map(quoted).join(" ")}`];
  });
  const command = `secplat ${commandOf(operation)}`;
  const more = [
    ...(requestBody !== undefined && !(isObject(body) && hasAllFlags) ? ["--body body.yaml"] : []),
    ...(isDestructive(operation) ? ["--yes"] : []),
  ];
  const first = [command, ...byFlag, ...more].join(" ");
  return paging === "none" ? [first] : [first, [command, "--all --output ndjson"].join(" ")];
}

/** Parameters that most calls have, although they are optional. */
const isUsual = (name: string): boolean => name === "filter";

const quoted = (value: unknown): string =>
  shellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
