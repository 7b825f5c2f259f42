import { isDeepStrictEqual } from "node:util";
import {
  webLocationGroups,
  webLocations,
  type WebLocation,
  type WebLocationGroup,
} from "../domain/data-protection/kinds.ts";
import {
  applicationId,
  applicationsByGroup,
  supportsNetworkInspection,
} from "./data-protection-cloud-applications.ts";
import { addedAt, predefinedId } from "./data-protection-origin.ts";
import type { SharedEntry } from "./entries.ts";

const groups = Object.entries(applicationsByGroup);

const locationId = (application: string): string => predefinedId("web-location", application);
const groupId = (name: string): string => predefinedId("web-location-group", name);

/** Each predefined application as a place that data goes to or comes from. */
export const predefinedWebLocations: SharedEntry<WebLocation> = {
  resource: webLocations.resource,
  // A tenant's groups may list a predefined location, which then lists them.
  isChanged: (copy, shared) =>
    !isDeepStrictEqual(copy.web_location_group_ids, shared.web_location_group_ids),
  records: () =>
    groups.flatMap(([group, applications]) =>
      Object.entries(applications).map(([name, facts]): WebLocation => ({
        id: locationId(name),
        name,
        type: "predefined",
        location_type: "application",
        application_id: applicationId(name),
        web_location_group_ids: [groupId(group)],
        supports_network_inspection: supportsNetworkInspection(facts.suite),
        deleted: false,
        ...addedAt,
      })),
    ),
};

/** What each group is for, by its name. */
const purposes: Readonly<Record<keyof typeof applicationsByGroup, string>> = {
  "File sharing": "Where files are kept and handed on",
  "Generative AI": "Where models are told things",
  Webmail: "Where mail is written in the browser",
  Messaging: "Where people talk to each other",
  "Source code": "Where programs are kept",
  "Paste sites": "Where texts are put for anybody to read",
  "Social media": "Where posts are for the public",
  "Work together": "Where teams keep pages, tasks and customers",
};

/** The predefined web locations by what they are for. */
export const predefinedWebLocationGroups: SharedEntry<WebLocationGroup> = {
  resource: webLocationGroups.resource,
  records: () =>
    groups.map(([name, applications]): WebLocationGroup => ({
      id: groupId(name),
      name,
      description: purposes[name as keyof typeof purposes],
      type: "predefined",
      web_location_ids: Object.keys(applications).map(locationId),
      deleted: false,
      ...addedAt,
    })),
};
