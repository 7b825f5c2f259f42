import { canonicalTimestamp, where, type Predicate, type SortKey } from "@security-platform/fql";
import type { GraphQLFieldResolver } from "graphql";
import type { Account, Association, Entity } from "../entities.ts";
import type { Incident } from "../incidents.ts";
import type { TimelineEvent } from "../timeline.ts";
import { activityTypes, displayNames, isAssociatedPlace, typeOfEvent } from "./timeline-types.ts";
import {
  anyOf,
  entitiesLike,
  entityOrder,
  type EntityConditions,
  type Order,
} from "./entity-conditions.ts";
import type { Reading } from "./reading.ts";
import { QueryRefusal } from "./refusal.ts";

/** The paging arguments of a list. `first` is validated before the query is executed. */
interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
}

type List = readonly string[] | null;

interface IncidentArguments extends PageArguments {
  readonly entityIds?: List;
  readonly types?: List;
  readonly severities?: List;
  readonly states?: List;
}

interface TimelineArguments extends PageArguments {
  readonly sourceEntityQuery?: EntityConditions | null;
  readonly startTime?: string | null;
  readonly endTime?: string | null;
  readonly categories?: List;
  readonly sortOrder?: "ASCENDING" | "DESCENDING" | null;
}

type Resolver<Source = unknown, Arguments = object> = (
  source: Source,
  parameters: Arguments,
  reading: Reading,
) => unknown;

const mostSources = 1_000;

/** Resolves a reference of a record to an entity. */
const entityOf =
  <Source>(idOf: (source: Source) => string | undefined): Resolver<Source> =>
  (source, _parameters, reading) => {
    const id = idOf(source);
    if (id === undefined) return null;
    return reading.entityById.load(id);
  };

const queryFields = {
  entities: async (_root, { first, after, ...conditions }, reading) => {
    const page = await reading.page(reading.entities, {
      predicate: entitiesLike(conditions),
      sort: entityOrder(conditions),
      first,
      after,
      question: ["entities", conditions],
    });
    for (const entity of page.nodes) reading.entityById.prime(entity.entityId, entity);
    return page;
  },
  countEntities: (_root, conditions, reading) =>
    reading.entities.count(entitiesLike(conditions), reading.now),
  incidents: (_root, { first, after, ...conditions }, reading) =>
    reading.page(reading.incidents, {
      predicate: where.all(
        ...anyOf("compromisedEntities", conditions.entityIds, "entityIds"),
        ...anyOf("type", conditions.types, "types"),
        ...anyOf("severity", conditions.severities, "severities"),
        ...anyOf("state", conditions.states, "states"),
      ),
      sort: [{ field: "startTime", direction: "desc" }],
      first,
      after,
      question: ["incidents", conditions],
    }),
  timeline: async (_root, { first, after, ...conditions }, reading) =>
    reading.page(reading.timeline, {
      predicate: await eventsLike(conditions, reading),
      sort: timelineOrder(conditions),
      first,
      after,
      question: ["timeline", conditions],
    }),
} satisfies {
  readonly entities: Resolver<unknown, PageArguments & EntityConditions & Order>;
  readonly countEntities: Resolver<unknown, EntityConditions>;
  readonly incidents: Resolver<unknown, IncidentArguments>;
  readonly timeline: Resolver<unknown, TimelineArguments>;
};

const timelineOrder = ({ sortOrder }: Pick<Order, "sortOrder">): readonly SortKey[] => [
  { field: "timestamp", direction: sortOrder === "ASCENDING" ? "asc" : "desc" },
];

async function eventsLike(
  { sourceEntityQuery, startTime, endTime, categories }: Omit<TimelineArguments, "first">,
  reading: Reading,
): Promise<Predicate> {
  const at = (operator: ">=" | "<", instant: string | null | undefined): readonly Predicate[] =>
    instant === undefined || instant === null
      ? []
      : [where.compare("timestamp", operator, String(canonicalTimestamp(instant)))];
  return where.all(
    ...at(">=", startTime),
    ...at("<", endTime),
    ...anyOf("category", categories, "categories"),
    ...anyOf("sourceEntityId", await sourcesOf(sourceEntityQuery, reading), "sourceEntityQuery"),
  );
}

/** The ids of the entities whose events are requested; undefined: all entities. */
async function sourcesOf(
  conditions: EntityConditions | null | undefined,
  { entities, now }: Reading,
): Promise<readonly string[] | undefined> {
  if (conditions === undefined || conditions === null) return undefined;
  const predicate = entitiesLike(conditions);
  const limit = mostSources + 1;
  const { items } = await entities.page({ predicate, sort: [], limit, shape: "ids", now });
  if (items.length <= mostSources) return items;
  throw new QueryRefusal(
    `sourceEntityQuery: more than ${mostSources} entities match; narrow the query`,
  );
}

const ofEntity = {
  roles: ({ roles }: Entity) => roles.map((type) => ({ type })),
  associations: ({ associations }: Entity, _parameters: object, reading: Reading) =>
    reading.hasRoomFor(associations.length) ? associations : [],
  isHuman: ({ roles }: Entity) => roles.includes("HumanUserAccountRole"),
  isProgrammatic: ({ roles }: Entity) => roles.includes("ProgrammaticUserAccountRole"),
  openIncidents: ({ entityId }: Entity, page: PageArguments, reading: Reading) =>
    reading.openIncidents.of(entityId, { first: page.first, after: page.after }),
};

const ofAssociation = { entity: entityOf(({ entityId }: Association) => entityId) };
const source = { sourceEntity: entityOf(({ sourceEntityId }: TimelineEvent) => sourceEntityId) };
const target = { targetEntity: entityOf(({ targetEntityId }: TimelineEvent) => targetEntityId) };

const sidesOf = async (
  { sourceEntityId, targetEntityId }: TimelineEvent,
  reading: Reading,
): Promise<readonly Entity[]> => {
  const ids = [sourceEntityId, targetEntityId].filter((id) => id !== undefined);
  const entities = await Promise.all(ids.map((id) => reading.entityById.load(id)));
  return entities.filter((entity) => entity !== undefined);
};

const ofActivity = {
  ...source,
  ...target,
  locationAssociatedWithUser: async (event: TimelineEvent, _parameters: object, reading: Reading) =>
    isAssociatedPlace(event, await sidesOf(event, reading)),
  userDisplayName: async (event: TimelineEvent, _parameters: object, reading: Reading) =>
    displayNames(await sidesOf(event, reading), "USER"),
  endpointDisplayName: async (event: TimelineEvent, _parameters: object, reading: Reading) =>
    displayNames(await sidesOf(event, reading), "ENDPOINT"),
};

/** Resolvers, by type, of fields that are not plain members of the record. */
export const fieldResolvers = {
  Query: queryFields,
  UserEntity: ofEntity,
  EndpointEntity: ofEntity,
  EntityAssociation: ofAssociation,
  LocalAdminDomainEntityAssociation: ofAssociation,
  Incident: {
    compromisedEntities: async (
      { compromisedEntities }: Incident,
      _parameters: object,
      reading: Reading,
    ) => {
      if (!reading.hasRoomFor(compromisedEntities.length)) return [];
      const loading = compromisedEntities.map((id) => reading.entityById.load(id));
      return (await Promise.all(loading)).filter((entity) => entity !== undefined);
    },
  },
  ...Object.fromEntries(activityTypes.map((type) => [type, ofActivity])),
  TimelineThreatEvent: {
    ...source,
    incident: ({ incidentId }: TimelineEvent, _parameters: object, reading: Reading) => {
      if (incidentId === undefined) return null;
      return reading.incidentById.load(incidentId);
    },
  },
  TimelinePolicyEvent: { ...source, ...target },
  TimelineGeneralEvent: source,
  TimelineConnectorConfigurationAddedEvent: source,
  TimelineConnectorConfigurationDeletedEvent: source,
  TimelineConnectorConfigurationModifiedEvent: source,
} as unknown as Readonly<
  Record<string, Readonly<Record<string, GraphQLFieldResolver<unknown, Reading>>>>
>;

const accountTypes = {
  ACTIVE_DIRECTORY: "ActiveDirectoryAccountDescriptor",
  SSO: "SsoUserAccountDescriptor",
  AZURE: "AzureCloudServiceAdapterDescriptor",
  CLOUD: "CloudServiceAdapterDescriptor",
} as const;

const associationTypes = {
  ENTITY: "EntityAssociation",
  LOCAL_ADMIN_LOCAL_USER: "LocalAdminLocalUserAssociation",
  LOCAL_ADMIN_DOMAIN_ENTITY: "LocalAdminDomainEntityAssociation",
  GEO_LOCATION: "GeoLocationAssociation",
} as const;

/** Resolvers of the concrete type of a record of an interface. */
export const typeResolvers = {
  Entity: ({ type }: Entity) => (type === "USER" ? "UserEntity" : "EndpointEntity"),
  AccountDescriptor: ({ type }: Account) => accountTypes[type],
  Association: ({ type }: Association) => associationTypes[type],
  TimelineEvent: typeOfEvent,
} as unknown as Readonly<Record<string, (value: unknown) => string>>;
