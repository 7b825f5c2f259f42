import type { FqlUse } from "@security-platform/spec";
import type { Conformance } from "../conformance/conformance.ts";
import type { Operation } from "../contract.ts";
import { mediaTypeOf, withQuery, type RequestParts } from "../requests/request.ts";
import { placeOf, withValueAt } from "../schemas/json-path.ts";
import { sitesOf, type Site } from "../schemas/sites.ts";
import { bodyViolations } from "./body.ts";
import { fqlViolations, type FqlPlace } from "./filters.ts";
import { malformedBodies } from "./malformed-body.ts";
import { parameterViolations } from "./parameters.ts";
import type { RequestViolation } from "./violation.ts";

/** All violations of an operation's requests that can be derived from the document. */
export function requestViolations(
  conformance: Conformance,
  operation: Operation,
  happy: RequestParts,
): readonly RequestViolation[] {
  const { contract } = conformance;
  const mediaType = mediaTypeOf(operation);
  const schema = operation.requestBody?.content[mediaType ?? ""]?.schema;
  const sites = schema === undefined ? [] : sitesOf(conformance, schema, happy.body);
  const all = [
    ...parameterViolations(contract, operation),
    ...fqlPlaces(operation, sites).flatMap((place) => fqlViolations(contract, place)),
    ...malformedBodies(operation),
    ...bodyViolations(sites, happy.body),
  ];
  const isForm = mediaType !== undefined && !mediaType.endsWith("json");
  return isForm ? all.filter(canBeSentAsForm(happy)) : all;
}

/** Whether a form can have the violation. Every value of a form is a text, so it has no wrong type and no null. */
const canBeSentAsForm =
  (happy: RequestParts) =>
  ({ apply, name }: RequestViolation): boolean => {
    if (name.startsWith("query.")) return true;
    const { body, rawBody } = apply(happy);
    if (rawBody !== undefined) return true;
    return (
      body !== null &&
      typeof body === "object" &&
      Object.values(body).every((value) => typeof value === "string")
    );
  };

/** The places for FQL in a request of the operation. */
function fqlPlaces(operation: Operation, sites: readonly Site[]): readonly FqlPlace[] {
  const inQuery = operation.parameters.flatMap(({ name, fql }) =>
    fql === undefined || fql.use === "aggregate"
      ? []
      : [
          {
            place: `query.${name}`,
            use: fql.use,
            resource: fql.resource,
            set: (parts: RequestParts, text: string) => withQuery(parts, { [name]: text }),
          },
        ],
  );
  const ofOperation =
    operation.requestBody?.fql.find(({ path }) => path === "")?.resource ?? inQuery[0]?.resource;
  const inBody = sites.flatMap(({ path, schema }) => {
    const fql = schema["x-fql"] as FqlUse | undefined;
    if (fql === undefined || fql.use === "aggregate") return [];
    return [
      {
        place: placeOf("body", path),
        use: fql.use,
        resource: fql.of === "operation" ? ofOperation : fql.resource,
        set: (parts: RequestParts, text: string) => ({
          ...parts,
          body: withValueAt(parts.body, path, text),
        }),
      },
    ];
  });
  return [...inQuery, ...inBody];
}
