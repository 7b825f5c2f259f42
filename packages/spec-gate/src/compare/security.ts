import { difference } from "../difference.ts";
import { groupBy } from "../group-by.ts";
import { canonicalText, isObject, listOf, objectsOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { tokensOf } from "../read/pointer.ts";
import { operationsOf } from "./document-model.ts";
import type { OperationSite } from "./comparison.ts";
import { compareLifecycle } from "../schema/deprecation.ts";

/** One way to authenticate: schemes with their scopes. Empty means no authentication. */
type Requirement = ReadonlyMap<string, ReadonlySet<string>>;

/** Compares the security requirements of an operation. */
export function compareSecurity(
  site: OperationSite,
  base: Json | undefined,
  revision: Json | undefined,
  at: { readonly base: object; readonly revision: object },
): void {
  const renames = renamesOf(site);
  const before = requirementsOf(base, (name) => {
    const scheme = schemeName(site.base, name);
    return renames.get(scheme) ?? scheme;
  });
  const after = requirementsOf(revision, (name) => schemeName(site.revision, name));
  for (const requirement of before) {
    if (after.some((each) => suffices(requirement, each))) continue;
    const scopes = missingScopes(requirement, after);
    if (scopes !== undefined) {
      site.report("scope-added", "request", `it needs the scope ${scopes.join(", ")} now`, at);
    } else {
      site.report(
        "security-tightened",
        "request",
        `${textOf(requirement)} is no longer enough, it requires ${after.map(textOf).join(" or ")}`,
        at,
      );
    }
  }
  for (const requirement of after) {
    if (before.some((each) => suffices(requirement, each))) continue;
    const scopes = missingScopes(requirement, before);
    if (scopes !== undefined) {
      site.report(
        "scope-removed",
        "request",
        `it no longer requires the scope ${scopes.join(", ")}`,
        at,
      );
    } else {
      site.report("security-loosened", "request", `${textOf(requirement)} is enough now`, at);
    }
  }
}

function requirementsOf(
  security: Json | undefined,
  identityOf: (name: string) => string,
): readonly Requirement[] {
  const all = listOf(security)
    .filter(isObject)
    .map(
      (requirement) =>
        new Map(
          Object.entries(requirement).map(([name, scopes]) => [
            identityOf(name),
            new Set(listOf(scopes).map(String)),
          ]),
        ),
    );
  return all.length === 0 ? [new Map()] : all;
}

/** Whether credentials that satisfy the first requirement also satisfy the second. */
const suffices = (held: Requirement, needed: Requirement): boolean =>
  [...needed].every(([scheme, scopes]) => {
    const own = held.get(scheme);
    return own !== undefined && difference(scopes, own).length === 0;
  });

/** The scopes that are missing for the first requirement to satisfy one of the others. */
function missingScopes(
  held: Requirement,
  needed: readonly Requirement[],
): readonly string[] | undefined {
  const match = needed.find(
    (each) => each.size > 0 && [...each.keys()].every((scheme) => held.has(scheme)),
  );
  if (match === undefined) return undefined;
  return [...match].flatMap(([scheme, scopes]) =>
    difference(scopes, held.get(scheme) ?? new Set()),
  );
}

function textOf(requirement: Requirement): string {
  if (requirement.size === 0) return "no authentication";
  return [...requirement]
    .map(([scheme, scopes]) =>
      scopes.size === 0 ? scheme : `${scheme} (${[...scopes].join(", ")})`,
    )
    .join(" with ");
}

/** The name of a scheme, which a requirement may also name by its place in the document. */
function schemeName(document: LoadedDocument, name: string): string {
  const [file = "", fragment, ...more] = name.split("#");
  const isPlace = fragment !== undefined && more.length === 0 && !schemesOf(document).has(name);
  if (!isPlace || (file !== "" && file !== document.root["$self"])) return name;
  const [components, schemes, own, ...rest] = tokensOf(fragment) ?? [];
  const isScheme = components === "components" && schemes === "securitySchemes";
  return isScheme && own !== undefined && rest.length === 0 ? own : name;
}

function schemesOf(document: LoadedDocument): ReadonlyMap<string, JsonObject> {
  const { components } = document.root;
  const schemes = isObject(components) ? components["securitySchemes"] : undefined;
  return new Map(objectsOf(schemes).map(([name, node]) => [name, document.resolve(node)]));
}

/**
 * Old names of schemes with their new names. Two schemes with one definition may need different
 * credentials, so a scheme is identified by its name. A scheme is renamed if its name is gone, and
 * exactly one new name has its definition.
 */
function renamesOf({ base, revision }: OperationSite): ReadonlyMap<string, string> {
  const [before, after] = [schemesOf(base), schemesOf(revision)];
  const gone = definitions([...before].filter(([name]) => !after.has(name)));
  const added = definitions([...after].filter(([name]) => !before.has(name)));
  const [usedBefore, usedAfter] = [usedSchemes(base), usedSchemes(revision)];
  return new Map(
    [...gone].flatMap(([definition, names]): readonly (readonly [string, string])[] => {
      const others = added.get(definition) ?? [];
      if (names.length === 1 && others.length === 1) return [[names[0] ?? "", others[0] ?? ""]];
      // Which one of several it was does not matter if no operation needs one of them.
      const isUsed =
        names.some((name) => usedBefore.has(name)) || others.some((name) => usedAfter.has(name));
      return isUsed
        ? []
        : names
            .slice(0, others.length)
            .map((name, index): readonly [string, string] => [name, others[index] ?? ""]);
    }),
  );
}

/** The schemes that the document or an operation requires. */
function usedSchemes(document: LoadedDocument): ReadonlySet<string> {
  const { security, paths } = document.root;
  const operations = [...operationsOf(document, paths).values()];
  const all = [security, ...operations.map((operation) => operation.security)];
  return new Set(
    all.flatMap((each) =>
      listOf(each).flatMap((requirement) =>
        Object.keys(isObject(requirement) ? requirement : {}).map((name) =>
          schemeName(document, name),
        ),
      ),
    ),
  );
}

/** Names of schemes by what clients have to know of them. */
function definitions(
  schemes: readonly (readonly [string, JsonObject])[],
): ReadonlyMap<string, readonly string[]> {
  const groups = groupBy(schemes, ([, scheme]) =>
    canonicalText({
      ...Object.fromEntries(
        Object.entries(scheme).map(([member, value]) => [
          member,
          hasNoCase(member, scheme) && typeof value === "string" ? value.toLowerCase() : value,
        ]),
      ),
      // Texts and hints.
      description: null,
      deprecated: null,
      bearerFormat: null,
    }),
  );
  return new Map([...groups].map(([text, group]) => [text, group.map(([name]) => name)]));
}

/** Compares the schemes themselves. */
export function compareSecuritySchemes(site: OperationSite): void {
  const before = schemesOf(site.base);
  const after = schemesOf(site.revision);
  const renames = renamesOf(site);
  const names = new Set(renames.values());
  for (const [name, base] of before) {
    const revision = after.get(name);
    const renamed = renames.get(name);
    if (revision !== undefined) compareScheme(site, name, base, revision);
    else if (renamed === undefined) {
      const message = `the security scheme ${name} was removed`;
      const values = { base };
      site.report("security-scheme-removed", "request", message, { base, values });
    } else {
      const message = `the security scheme ${name} is called ${renamed} now`;
      const values = { base: name, revision: renamed };
      const at = { base, revision: after.get(renamed), values };
      site.report("security-scheme-renamed", "request", message, at);
    }
  }
  for (const [name, revision] of after) {
    if (before.has(name) || names.has(name)) continue;
    const message = `the security scheme ${name} is new`;
    site.report("security-scheme-added", "request", message, { revision, values: { revision } });
  }
}

/** Members that define how credentials are sent or obtained. */
const schemeMembers = ["type", "scheme", "in", "name", "openIdConnectUrl", "oauth2MetadataUrl"];

/** Schemes of HTTP and names of headers have no case. */
const hasNoCase = (member: string, { in: place }: JsonObject): boolean =>
  member === "scheme" || (member === "name" && place === "header");

/** URLs that only help: clients that know none of them do not need one. */
const helpfulUrls = new Set(["refreshUrl", "oauth2MetadataUrl"]);

function compareScheme(
  site: OperationSite,
  name: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const at = { base, revision };
  for (const member of schemeMembers) {
    const [was, is] = [base[member], revision[member]].map((each) =>
      hasNoCase(member, base) && typeof each === "string" ? each.toLowerCase() : each,
    );
    if (canonicalText(was) === canonicalText(is)) continue;
    site.report(
      "security-scheme-changed",
      "request",
      `${member} of the security scheme ${name} was ${String(was)} and is ${String(is)} now`,
      at,
      helpfulUrls.has(member) && was === undefined ? "minor" : undefined,
    );
  }
  compareLifecycle("security-scheme", [base], [revision], site.today, (rule, message) =>
    site.report(rule, "request", `${message} (${name})`, at),
  );
  const [before, after] = [flowsOf(base), flowsOf(revision)];
  for (const [flow, node] of before) {
    const other = after.get(flow);
    if (other === undefined) {
      site.report(
        "security-scheme-changed",
        "request",
        `the flow ${flow} of the security scheme ${name} was removed`,
        at,
      );
    } else compareFlow(site, name, flow, node, other);
  }
  for (const [flow, node] of after) {
    if (before.has(flow) || before.size === 0) continue;
    site.report("security-scheme-added", "request", `${name} also has the flow ${flow}`, {
      revision: node,
    });
  }
}

const flowsOf = (scheme: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(objectsOf(scheme["flows"]));

function compareFlow(
  site: OperationSite,
  name: string,
  flow: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const at = { base, revision };
  for (const member of ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"]) {
    if (canonicalText(base[member]) === canonicalText(revision[member])) continue;
    site.report(
      "security-scheme-changed",
      "request",
      `${member} of ${name} (${flow}) was ${String(base[member])} and is ${String(revision[member])} now`,
      at,
      helpfulUrls.has(member) && base[member] === undefined ? "minor" : undefined,
    );
  }
  const scopes = ({ scopes: all }: JsonObject) => new Set(isObject(all) ? Object.keys(all) : []);
  for (const scope of difference(scopes(base), scopes(revision))) {
    site.report(
      "oauth-scope-removed",
      "request",
      `the scope ${scope} of ${name} (${flow}) was removed`,
      at,
    );
  }
  for (const scope of difference(scopes(revision), scopes(base))) {
    site.report("oauth-scope-added", "request", `${name} (${flow}) has the scope ${scope}`, at);
  }
}
