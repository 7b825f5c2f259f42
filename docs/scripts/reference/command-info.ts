import type { Operation } from "@security-platform/spec";
import { optionsOf } from "../../../packages/cli/src/calls/add-operation-command.ts";
import { commandOf, operationOf } from "../../../packages/cli/src/calls/operations.ts";
import { isDestructive } from "../../../packages/cli/src/calls/request-options.ts";

/** The command of an operation, with its flags. */
export interface CommandInfo {
  /** `ioc`, `list-indicators`. */
  readonly words: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  /** Flags for members of the body. */
  readonly members: Readonly<Record<string, string>>;
  /** Whether the command asks before it sends the request, unless `--yes` is set. */
  readonly isDestructive: boolean;
}

/** Null for an operation without a command: the companion operations, and those of the token. */
export function commandInfo({ id, document, scope }: Operation): CommandInfo | null {
  if (document !== "platform" || scope === null) return null;
  const called = operationOf(id);
  const { flags } = optionsOf(called);
  const longOf = (wanted: "parameter" | "body"): Readonly<Record<string, string>> =>
    Object.fromEntries(
      flags.flatMap(({ target, name, option: { long } }) =>
        target === wanted && typeof long === "string" ? [[name, long]] : [],
      ),
    );
  return {
    words: commandOf(called).split(" "),
    parameters: {
      ...longOf("parameter"),
      ...(called.paging !== "none" && { limit: "--limit" }),
    },
    members: longOf("body"),
    isDestructive: isDestructive(called),
  };
}
