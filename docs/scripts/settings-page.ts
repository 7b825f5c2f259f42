import { flagsOf, variablesOf } from "../../packages/cli/src/settings/setting.ts";
import type { Setting } from "../../packages/cli/src/settings/setting-types.ts";
import { settings } from "../../packages/cli/src/settings/table.ts";
import { code, joinBlocks, prose, table } from "./reference/markdown.ts";

/** The page with all settings, by the headings of the help. */
export function settingsPage(): string {
  const groups = Map.groupBy(settings, ({ group }) => group ?? "Server:");
  return joinBlocks([
    "# All settings",
    "[Settings](/guides/settings) says how to set them. The key in `secplat.yaml` is the flag without its dashes.",
    ...[...groups].flatMap(([group, each]) => [
      `## ${group.replace(":", "")}`,
      table(
        ["Key", "Flag and variable", "Type", "Default", "Meaning"],
        each.map((setting) => [
          code(setting.name),
          [...flagsOf(setting), ...variablesOf(setting)].map(code).join(" "),
          typeOf(setting),
          defaultOf(setting),
          prose(meaningOf(setting)),
        ]),
      ),
    ]),
  ]);
}

/** The largest value of a timer, or of no limit at all, says nothing to a reader. */
const isUnbounded = (maximum: number): boolean => maximum > 2 ** 30;

function typeOf(setting: Setting): string {
  switch (setting.type) {
    case "switch":
      return "true or false";
    case "integer": {
      const { minimum, maximum, value } = setting;
      const unit = value === "number" || value === "count" ? "" : ` ${value}`;
      return isUnbounded(maximum)
        ? `integer from ${minimum}${unit && `,${unit}`}`
        : `integer, ${minimum} to ${maximum}${unit}`;
    }
    case "list":
      return `list: ${setting.value}`;
    case "text": {
      const { choices, value, off } = setting;
      return `${choices === undefined ? value : choices.map(code).join(", ")}${off === undefined ? "" : ", or false"}`;
    }
  }
}

const defaultOf = (setting: Setting): string | undefined =>
  setting.type === "list" || setting.default === undefined
    ? undefined
    : code(String(setting.default));

function meaningOf(setting: Setting): string {
  const { about } = setting;
  if (setting.type === "switch") return `${!setting.default}: ${about}`;
  return setting.type === "text" && setting.off !== undefined
    ? `${about}; false: ${setting.off}`
    : about;
}
