import type { Setting } from "./setting-types.ts";
import { settings } from "./table.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of `secplat.yaml`, for editors. */
export const settingsSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Settings of secplat",
  type: ["object", "null"],
  additionalProperties: false,
  properties: settingProperties(),
});

export const settingProperties = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(settings.map((setting) => [setting.name, schemaOf(setting)]));

function schemaOf(setting: Setting): Schema {
  switch (setting.type) {
    case "switch":
      return {
        description: `${!setting.default}: ${setting.about}`,
        type: "boolean",
        default: setting.default,
      };
    case "integer": {
      const { about: description, minimum, maximum, default: value } = setting;
      return {
        description,
        type: "integer",
        minimum,
        maximum,
        ...(value === undefined ? {} : { default: value }),
      };
    }
    case "list":
      return {
        description: setting.about,
        anyOf: [oneText, { type: "array", minItems: 1, items: oneText }],
      };
    case "text": {
      const { about: description, choices, default: value, off } = setting;
      const text = choices === undefined ? oneText : { enum: choices };
      return {
        description,
        ...(off === undefined ? text : { anyOf: [text, { const: false }] }),
        ...(value === undefined ? {} : { default: value }),
      };
    }
  }
}

const oneText = { type: "string", pattern: String.raw`\S` };
