import type { Entity } from "../entities.ts";
import type { TimelineEvent } from "../timeline.ts";

/** The GraphQL types of activities, by type of event. */
const byEventType: Readonly<Record<string, string>> = {
  LOGIN_SUCCESSFUL: "TimelineSuccessfulAuthenticationEvent",
  AUTHENTICATION_SUCCESSFUL: "TimelineSuccessfulAuthenticationEvent",
  LOGIN_FAILED: "TimelineFailedAuthenticationEvent",
  AUTHENTICATION_FAILED: "TimelineFailedAuthenticationEvent",
  SERVICE_ACCESS: "TimelineServiceAccessEvent",
  FILE_OPERATION: "TimelineFileOperationEvent",
  LDAP_SEARCH: "TimelineLdapSearchEvent",
  DCE_RPC: "TimelineDceRpcEvent",
  REMOTE_CODE_EXECUTION: "TimelineRemoteCodeExecutionEvent",
};

const otherActivity = "TimelineUserOnEndpointActivityEvent";

export const activityTypes: readonly string[] = [
  otherActivity,
  ...new Set(Object.values(byEventType)),
];

const configurations: Readonly<Record<string, string>> = {
  CONNECTOR_CONFIGURATION_ADDED: "TimelineConnectorConfigurationAddedEvent",
  CONNECTOR_CONFIGURATION_DELETED: "TimelineConnectorConfigurationDeletedEvent",
  CONNECTOR_CONFIGURATION_MODIFIED: "TimelineConnectorConfigurationModifiedEvent",
};

/** The GraphQL type of an event. */
export function typeOfEvent({ category, eventType }: TimelineEvent): string {
  switch (category) {
    case "ACTIVITY":
      return own(byEventType, eventType) ?? otherActivity;
    case "THREAT":
      return "TimelineThreatEvent";
    case "POLICY":
      return "TimelinePolicyEvent";
    case "SYSTEM":
      return own(configurations, eventType) ?? "TimelineGeneralEvent";
    default:
      return "TimelineGeneralEvent";
  }
}

const own = (types: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** The display name of the first entity of that type; null if there is none. */
export const displayNames = (sides: readonly Entity[], type: Entity["type"]): string | null =>
  sides.find((entity) => entity.type === type)?.primaryDisplayName ?? null;

/** Whether an entity of the event is associated with the place of the event; null without a place. */
export function isAssociatedPlace(
  { geoLocation }: TimelineEvent,
  sides: readonly Entity[],
): boolean | null {
  if (geoLocation === undefined) return null;
  const { countryCode, city } = geoLocation;
  return sides.some(({ associations }) =>
    associations.some(
      (each) => each.geoLocation?.countryCode === countryCode && each.geoLocation.city === city,
    ),
  );
}
