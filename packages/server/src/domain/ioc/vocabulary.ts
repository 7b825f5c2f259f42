import { servedDocument, type components } from "@security-platform/spec";
import type { IndicatorType } from "./indicators.ts";

type Schemas = components["schemas"];
export type Action = Schemas["IndicatorAction"];
export type MobileAction = Schemas["IndicatorMobileAction"];
export type Platform = Schemas["IndicatorPlatform"];
export type Severity = Schemas["IndicatorSeverity"];

/** The values of an enumeration, in the order of the document. */
function valuesOf<Value>(schema: keyof Schemas): readonly Value[] {
  const { enum: values } = servedDocument().schemas[schema] as { enum?: readonly Value[] };
  return values ?? [];
}

export const indicatorTypes = valuesOf<IndicatorType>("IndicatorType");
export const platforms = valuesOf<Platform>("IndicatorPlatform");
export const actions = valuesOf<Action>("IndicatorAction");
const mobileActions: readonly string[] = valuesOf<MobileAction>("IndicatorMobileAction");
/** All severities except the empty text, which means no severity. */
export const severities: readonly Exclude<Severity, "">[] = valuesOf<Severity>(
  "IndicatorSeverity",
).filter((name) => name !== "");

export const isMobile = (platform: Platform): boolean =>
  platform === "ios" || platform === "android";

const desktop = platforms.filter((platform) => !isMobile(platform));
const mobile = platforms.filter(isMobile);

/** Platforms that support indicators of a type. */
export function platformsOf(type: IndicatorType): readonly Platform[] {
  if (type === "sha256" || type === "md5") return desktop;
  return type === "all_subdomains" ? mobile : platforms;
}

/**
 * Actions on Windows, macOS and Linux. Sensors there can block files, but can only detect network traffic.
 */
export function actionsOf(type: IndicatorType): readonly Action[] {
  return type === "sha256" || type === "md5"
    ? actions
    : actions.filter((action) => action === "no_action" || action === "detect");
}

/** Whether a match of the action has an effect that a severity describes, so that it requires one. */
export const needsSeverity = (action: Action | MobileAction): boolean =>
  action !== "no_action" && action !== "allow";

/** An action and the platforms that support it, by type of indicator. */
export function actionRecord(action: Action): Schemas["ActionRecord"] {
  const entries = indicatorTypes.flatMap((type) => {
    const usable = platformsOf(type).filter((platform) =>
      isMobile(platform) ? mobileActions.includes(action) : actionsOf(type).includes(action),
    );
    return usable.length === 0 ? [] : [[type, usable] as const];
  });
  return {
    id: action,
    platforms_by_type: Object.fromEntries(entries),
    severities: needsSeverity(action) ? [...severities] : [],
  };
}
