import type { Rule } from "../rule.ts";
import { inside, isObject, listIn, objectIn, report } from "../specification.ts";

/** Each operation declares its security; with OAuth2 it is the one scope that it needs. */
export const explicitSecurity: Rule = {
  name: "explicit-security",
  *check(specification) {
    for (const operation of specification.operations) {
      const schemes = objectIn(objectIn(operation.root.value, "components"), "securitySchemes");
      const flows = Object.values(objectIn(schemes["oauth2"], "flows"));
      const knownScopes = flows.flatMap((flow) => Object.keys(objectIn(flow, "scopes")));
      const spot = inside(operation, "security");
      if (!Array.isArray(operation.value["security"])) {
        yield report(spot, "no security", "security, or [] if no token is needed");
      }
      const requirements = listIn(operation.value, "security").filter(isObject);
      for (const scheme of requirements.flatMap((each) => Object.keys(each))) {
        if (!(scheme in schemes))
          yield report(spot, scheme, `a security scheme of ${operation.root.path}`);
      }
      for (const scopes of requirements.flatMap((each) =>
        "oauth2" in each ? [listIn(each, "oauth2")] : [],
      )) {
        if (scopes.length !== 1) yield report(spot, `${scopes.length} scopes`, "one scope");
        for (const scope of scopes.filter((each) => !knownScopes.includes(String(each)))) {
          yield report(
            spot,
            `scope ${String(scope)}`,
            `a scope that ${operation.root.path} describes`,
          );
        }
      }
    }
  },
};
