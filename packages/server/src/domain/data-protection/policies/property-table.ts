import { servedDocument, type components } from "@security-platform/spec";

type Schemas = components["schemas"];
export type Platform = Schemas["DataProtectionPlatform"];
export type Properties = Schemas["DataProtectionPolicyProperties"];
export type PropertiesInput = Schemas["DataProtectionPolicyPropertiesInput"];
export type PropertyName = keyof PropertiesInput & keyof Properties;

/** The definition of a property in the document. */
export interface Property {
  readonly name: PropertyName;
  /** The default value; absent for an optional property. */
  readonly default?: unknown;
  readonly platforms: readonly Platform[];
  /** This property may differ from its default only if another property has this value. */
  readonly requires?: { readonly name: PropertyName; readonly value: unknown };
}

interface Facts {
  readonly default?: unknown;
  readonly platforms: readonly Platform[];
  readonly requires?: Readonly<Record<string, unknown>>;
}

/** All properties, in the order of a served policy. */
export const propertyTable: readonly Property[] = readTable();

function readTable(): readonly Property[] {
  const { schemas } = servedDocument();
  const facts = schemas["DataProtectionPolicyPropertiesInput"]?.[
    "x-data-protection-properties"
  ] as Readonly<Record<PropertyName, Facts>>;
  return Object.entries(facts).map(([name, { requires = {}, ...rest }]) => {
    const [required] = Object.entries(requires);
    return {
      name: name as PropertyName,
      ...rest,
      ...(required === undefined
        ? {}
        : { requires: { name: required[0] as PropertyName, value: required[1] } }),
    };
  });
}

const tables: Readonly<Record<Platform, readonly Property[]>> = {
  win: propertyTable.filter(({ platforms }) => platforms.includes("win")),
  mac: propertyTable.filter(({ platforms }) => platforms.includes("mac")),
};

/** The properties of a platform's policies. */
export const propertiesOf = (platform: Platform): readonly Property[] => tables[platform];

/** Default properties. */
export const defaultProperties = (platform: Platform): Properties =>
  Object.fromEntries(
    propertiesOf(platform).flatMap((property) =>
      property.default === undefined ? [] : [[property.name, property.default]],
    ),
  ) as unknown as Properties;
