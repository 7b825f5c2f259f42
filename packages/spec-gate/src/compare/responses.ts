import { canonicalText, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { OperationSite } from "./comparison.ts";
import { compareContent } from "./content.ts";
import { compareSerialization, hasContent, listMode, schemaOf } from "./parameters.ts";

type Responses = ReadonlyMap<string, JsonObject>;

export function compareResponses(
  site: OperationSite,
  base: Json | undefined,
  revision: Json | undefined,
): void {
  const before = responsesOf(site.base, base);
  const after = responsesOf(site.revision, revision);
  for (const [status, response] of before) {
    const same = after.get(status);
    if (same !== undefined) {
      compareResponse(site, status, response, same);
      continue;
    }
    const wider = widerStatus(after, status);
    // Clients find a success by its status, so `default` does not replace a removed one.
    const isCovered = !isSuccess(status) || after.has(`${status[0]}XX`);
    if (wider !== undefined && isCovered) {
      compareResponse(site, status, response, wider);
      continue;
    }
    // A range such as 4XX that is replaced by its statuses is not removed.
    const isSplit = [...after.keys()].some((each) => isWithin(each, status) && !before.has(each));
    if (isSplit) continue;
    const rule = isSuccess(status) ? "success-status-removed" : "error-status-removed";
    site.report(rule, "response", `the response ${status} was removed`, { base: response });
  }
  for (const [status, response] of after) {
    if (before.has(status)) continue;
    const wider = widerStatus(before, status);
    // An error that is documented without content may still have a body.
    const isBare = !isSuccess(status) && response["content"] === undefined;
    if (wider !== undefined && !isBare) {
      compareResponse(site, status, wider, response);
      continue;
    }
    if ([...before.keys()].some((each) => isWithin(each, status) && !after.has(each))) continue;
    const rule = isSuccess(status) ? "success-status-added" : "error-status-added";
    site.report(rule, "response", `the response ${status} is new`, { revision: response });
  }
}

function responsesOf(document: LoadedDocument, responses: Json | undefined): Responses {
  return new Map(
    objectsOf(responses)
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, node]) => [status.toUpperCase(), document.resolve(node)]),
  );
}

const isSuccess = (status: string): boolean => /^[123]/.test(status);

const isWithin = (status: string, range: string): boolean =>
  range !== status &&
  (range === "DEFAULT" ? !isSuccess(status) : /^\dXX$/.test(range) && status[0] === range[0]);

/** The response that covers an unlisted status: its range, or `default` for errors. */
function widerStatus(responses: Responses, status: string): JsonObject | undefined {
  const range = responses.get(`${status[0]}XX`);
  if (range !== undefined && status !== "DEFAULT") return range;
  // If successes are listed, `default` means errors.
  const hasSuccess = [...responses.keys()].some((each) => /^[123]/.test(each));
  return isSuccess(status) && hasSuccess ? undefined : responses.get("DEFAULT");
}

function compareResponse(
  site: OperationSite,
  status: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  if (site.isShared && base === revision) return;
  const words = `the body of ${status === "DEFAULT" ? "the default response" : status}`;
  compareContent(site, "response", words, base, revision);
  compareHeaders(site, status, base, revision);
  compareLinks(site, status, base, revision);
}

function compareHeaders(
  site: OperationSite,
  status: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const before = headersOf(site.base, base);
  const after = headersOf(site.revision, revision);
  for (const [key, { name, node }] of before) {
    const other = after.get(key);
    if (other === undefined) {
      const kind = node["required"] === true ? "required" : "optional";
      site.report(
        "response-header-removed",
        "response",
        `the ${kind} header ${name} of ${status} was removed`,
        { base: node },
      );
      continue;
    }
    const at = { base: node, revision: other.node };
    const [was, is] = [node["required"] === true, other.node["required"] === true];
    if (was && !is) {
      site.report(
        "response-header-became-optional",
        "response",
        `the header ${name} of ${status} is optional now`,
        at,
      );
    } else if (!was && is) {
      site.report(
        "response-header-became-required",
        "response",
        `the header ${name} of ${status} is required now`,
        at,
      );
    }
    const header = { node, name, in: "header" };
    const otherHeader = { node: other.node, name, in: "header" };
    const words = `header ${name} of ${status}`;
    compareSerialization(site, header, otherHeader, "response", words);
    site.schemas.compare(
      site.partOf(`response ${status}, header ${name}`),
      schemaOf(node),
      schemaOf(other.node),
      {
        direction: site.directionOf("response"),
        ...(hasContent(other.node) ? {} : { textual: "header" as const }),
        ...listMode(header, otherHeader),
      },
      site.revision.pointer(other.node),
    );
  }
  for (const [key, { name, node }] of after) {
    if (before.has(key)) continue;
    site.report("response-header-added", "response", `the header ${name} of ${status} is new`, {
      revision: node,
    });
  }
}

function headersOf(
  document: LoadedDocument,
  response: JsonObject,
): ReadonlyMap<string, { readonly name: string; readonly node: JsonObject }> {
  return new Map(
    objectsOf(response["headers"])
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name, node]) => [name.toLowerCase(), { name, node: document.resolve(node) }]),
  );
}

function compareLinks(
  site: OperationSite,
  status: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const links = (document: LoadedDocument, response: JsonObject) =>
    new Map(objectsOf(response["links"]).map(([name, node]) => [name, document.resolve(node)]));
  const [before, after] = [links(site.base, base), links(site.revision, revision)];
  for (const [name, node] of before) {
    const other = after.get(name);
    if (other === undefined) {
      site.report("link-removed", "response", `the link ${name} of ${status} was removed`, {
        base: node,
      });
    } else if (meaningOf(node) !== meaningOf(other)) {
      site.report("link-changed", "response", `the link ${name} of ${status} leads elsewhere`, {
        base: node,
        revision: other,
      });
    }
  }
  for (const [name, node] of after) {
    if (before.has(name)) continue;
    site.report("link-added", "response", `the link ${name} of ${status} is new`, {
      revision: node,
    });
  }
}

const meaningOf = ({ operationId, operationRef, parameters, requestBody }: JsonObject): string =>
  canonicalText(
    [operationId, operationRef, parameters, requestBody].map((each) =>
      each === undefined ? null : each,
    ),
  );
