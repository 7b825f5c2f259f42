import { canonicalText, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { OperationSite } from "./comparison.ts";
import { compareContent } from "./content.ts";
import { compareHeaders } from "./headers.ts";

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
    if (isSplit) {
      reportRange(site, "narrowed", status, response);
      continue;
    }
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
    if ([...before.keys()].some((each) => isWithin(each, status) && !after.has(each))) {
      reportRange(site, "widened", status, response);
      continue;
    }
    const rule = isSuccess(status) ? "success-status-added" : "error-status-added";
    site.report(rule, "response", `the response ${status} is new`, { revision: response });
  }
}

/** A range such as 2XX that took the place of its statuses, or gave way to them. */
function reportRange(
  site: OperationSite,
  change: "widened" | "narrowed",
  status: string,
  response: JsonObject,
): void {
  if (status === "DEFAULT") return;
  const isWidened = change === "widened";
  const words = isWidened ? `may be any of ${status} now` : `is no longer any of ${status}`;
  // Nobody relies on an error.
  const verdict = isSuccess(status) || isWidened ? undefined : "patch";
  site.report(
    `response-status-${change}`,
    "response",
    `the status ${words}`,
    { [isWidened ? "revision" : "base"]: response },
    verdict,
  );
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
  compareHeaders(
    site,
    "response",
    { rules: "response-header", of: status },
    { headers: base["headers"], at: base },
    { headers: revision["headers"], at: revision },
  );
  compareLinks(site, status, base, revision);
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
