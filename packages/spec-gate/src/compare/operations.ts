import type { Sides } from "../change.ts";
import { difference } from "../difference.ts";
import { Node } from "../findings.ts";
import { isObject, listOf, objectsOf, textOf, type Json, type JsonObject } from "../json.ts";
import { operationSite, type Comparison, type OperationSite } from "./comparison.ts";
import { compareContent } from "./content.ts";
import { compareLifecycle } from "../schema/deprecation.ts";
import { operationsOf, pairOperations, type Operation } from "./document-model.ts";
import { compareFilters } from "../schema/filters.ts";
import { removalOf } from "../schema/lifecycle.ts";
import { compareParameters } from "./parameters.ts";
import { compareResponses } from "./responses.ts";
import { inScope, type Scope } from "./scope.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

/** The kind of a set of operations: of the API, of a webhook, or of a callback. */
export interface Kind {
  readonly name: "operation" | "webhook" | "callback";
  /** `POST /users, callback onEvent: `, for a callback. */
  readonly prefix: string;
  /** What stands before the paths of one document, because it moved from the servers. */
  readonly moved?: Sides<string>;
  readonly scope?: Scope;
}

/** Compares all operations under two maps of paths. */
export function compareOperations(
  comparison: Comparison,
  base: Json | undefined,
  revision: Json | undefined,
  kind: Kind,
  parent?: Node,
): void {
  const { moved, scope = {} } = kind;
  const before = inScope(operationsOf(comparison.base, base, moved?.base), comparison.base, scope);
  const after = inScope(
    operationsOf(comparison.revision, revision, moved?.revision),
    comparison.revision,
    scope,
  );
  const isReversed = kind.name !== "operation";
  const siteOf = (operation: Operation, earlier?: Operation): OperationSite => {
    const node = new Node(`${kind.prefix}${operation.name}`);
    if (parent !== undefined) node.parents.add(parent);
    const nodes = earlier === undefined ? {} : { base: earlier.node, revision: operation.node };
    return operationSite(comparison, node, isReversed, nodes);
  };
  const { kept, removed, added } = pairOperations(before, after);
  for (const operation of before.values()) {
    const other = kept.get(operation);
    if (other !== undefined) compareOperation(siteOf(other, operation), operation, other);
  }
  for (const operation of removed) {
    const removal = removalOf([operation.node], comparison.today);
    const rule = removal?.rule ?? (`${kind.name}-removed` as const);
    const words = `the ${kind.name} was removed${removal?.because ?? ""}`;
    siteOf(operation).report(rule, "request", words, { base: operation.node });
  }
  for (const operation of added) {
    siteOf(operation).report(`${kind.name}-added`, "request", `the ${kind.name} is new`, {
      revision: operation.node,
    });
  }
}

function compareOperation(site: OperationSite, base: Operation, revision: Operation): void {
  const isSame = (["path", "item", "node", "security", "servers"] as const).every(
    (member) => base[member] === revision[member],
  );
  if (site.isShared && isSame) return;
  const at = { base: base.node, revision: revision.node };
  compareNames(site, base.node, revision.node, at);
  compareLifecycle("operation", [base.node], [revision.node], site.today, (rule, message) =>
    site.report(rule, "request", message, at),
  );
  compareParameters(site, base, revision);
  compareRequestBody(site, base.node, revision.node);
  compareResponses(site, base.node["responses"], revision.node["responses"]);
  if (!site.isReversed) {
    compareSecurity(site, base.security, revision.security, at);
    if (base.servers !== undefined || revision.servers !== undefined) {
      const [before, after] = [site.base.root["servers"], site.revision.root["servers"]];
      compareServers(site, base.servers ?? before, revision.servers ?? after);
    }
  }
  comparePaging(site, base.node, revision.node, at);
  compareCallbacks(site, base.node, revision.node, revision.name);
}

type Nodes = { readonly base: JsonObject; readonly revision: JsonObject };

function compareNames(
  site: OperationSite,
  base: JsonObject,
  revision: JsonObject,
  at: Nodes,
): void {
  const [was, is] = [textOf(base["operationId"]), textOf(revision["operationId"])];
  if (was !== is) {
    const words = `the operationId was ${was ?? "not declared"} and is ${is ?? "not declared"} now`;
    site.report("operation-id-changed", "request", words, at);
  }
  const tags = (node: JsonObject) => new Set(listOf(node["tags"]).map(String));
  for (const tag of difference(tags(base), tags(revision))) {
    site.report("tag-removed", "request", `the tag ${tag} was removed`, at);
  }
  for (const tag of difference(tags(revision), tags(base))) {
    site.report("tag-added", "request", `the tag ${tag} was added`, at);
  }
}

function compareRequestBody(site: OperationSite, base: JsonObject, revision: JsonObject): void {
  const before = isObject(base["requestBody"]) ? site.base.resolve(base["requestBody"]) : undefined;
  const after = isObject(revision["requestBody"])
    ? site.revision.resolve(revision["requestBody"])
    : undefined;
  if (before === undefined && after === undefined) return;
  if (before === undefined) {
    const isRequired = after?.["required"] === true;
    site.report(
      isRequired ? "required-request-body-added" : "request-body-added",
      "request",
      `${isRequired ? "a required" : "an optional"} body is new`,
      { revision: after },
    );
    return;
  }
  if (after === undefined) {
    site.report("request-body-removed", "request", "the body was removed", { base: before });
    return;
  }
  if (site.isShared && before === after) return;
  const at = { base: before, revision: after };
  const [was, is] = [before["required"] === true, after["required"] === true];
  if (!was && is) {
    site.report("request-body-became-required", "request", "the body is required now", at);
  }
  if (was && !is) {
    site.report("request-body-became-optional", "request", "the body is optional now", at);
  }
  compareFilters(site, before, after, "the body", (rule, message) =>
    site.report(rule, "request", message, at),
  );
  compareContent(site, "request", "the request body", before, after);
}

function comparePaging(
  site: OperationSite,
  base: JsonObject,
  revision: JsonObject,
  at: Nodes,
): void {
  const [was, is] = [base["x-paging"], revision["x-paging"]];
  if (was === is || (was === undefined && is === undefined)) return;
  if (was === undefined) {
    site.report("paging-added", "request", `it has pages by ${String(is)} now`, at);
  } else {
    const now = is === undefined ? "none" : String(is);
    site.report(
      "paging-changed",
      "request",
      `pages were by ${String(was)} and are by ${now} now`,
      at,
    );
  }
}

function compareCallbacks(
  site: OperationSite,
  base: JsonObject,
  revision: JsonObject,
  operation: string,
): void {
  const [before, after] = [base["callbacks"], revision["callbacks"]];
  if (before === undefined && after === undefined) return;
  const was = callbacksOf(site.base, before);
  const is = callbacksOf(site.revision, after);
  const added = new Map([...is].filter(([name]) => !was.has(name)));
  const compare = (name: string, one?: JsonObject, other?: JsonObject): void =>
    compareOperations(site, one, other, {
      name: "callback",
      prefix: `${operation}, callback ${name}: `,
    });
  for (const [name, paths] of was) {
    const same = is.get(name);
    // The name of a callback is not sent.
    const renamed = [...added].find(([, other]) => expressionsOf(other) === expressionsOf(paths));
    if (same !== undefined || renamed === undefined) compare(name, paths, same);
    else {
      added.delete(renamed[0]);
      compare(renamed[0], paths, renamed[1]);
    }
  }
  for (const [name, paths] of added) compare(name, undefined, paths);
}

const callbacksOf = (
  document: OperationSite["base"],
  callbacks: Json | undefined,
): ReadonlyMap<string, JsonObject> =>
  new Map(objectsOf(callbacks).map(([name, node]) => [name, document.resolve(node)]));

/** Where the requests of a callback go. */
const expressionsOf = (paths: JsonObject): string => JSON.stringify(Object.keys(paths).toSorted());
