import { isObject, type Json } from "../../src/json.ts";
import { edited } from "./document.ts";
import type { Kind } from "./kind.ts";
import { mutators, type Mutator } from "./schema-mutators.ts";
import { sites, type Target } from "./sites.ts";

const targets: readonly Target[] = [
  "request member",
  "response member",
  "query parameter",
  "response header",
];

/** oasdiff's words for our targets. */
const oasdiffTargets: Readonly<Record<Target, string>> = {
  "request member": "request-property",
  "response member": "response-property",
  "query parameter": "request-parameter",
  "response header": "response-header",
};

function kindOf(mutator: Mutator, target: Target): Kind {
  const isRequest = target === "request member" || target === "query parameter";
  // A header is a text, which is never null.
  const isNoChange = target === "response header" && /null/.test(mutator.name);
  const breaks =
    !isNoChange &&
    (mutator.effect === "changes" || mutator.effect === (isRequest ? "narrows" : "widens"));
  return {
    name: `${target}: ${mutator.name}`,
    expected: breaks ? "breaking" : "safe",
    ...(mutator.oasdiff === undefined
      ? {}
      : { oasdiff: `${oasdiffTargets[target]}-${mutator.oasdiff}` }),
    places: () =>
      sites(target)
        .filter(({ schema, owner, name }) => {
          // A text in a URL is never null, and members that are not part of the request or response
          // are another kind.
          const access = schema[isRequest ? "readOnly" : "writeOnly"] === true;
          return mutator.fits(schema) && !access && !(owner !== undefined && name === "");
        })
        .map(({ place }) => place),
    apply: (place) =>
      edited(place, (schema: Json | undefined) =>
        isObject(schema) ? mutator.edit(schema) : schema,
      ),
  };
}

/** Every mutator at every target that has three places for it. */
export const schemaKinds: readonly Kind[] = mutators
  .flatMap((mutator) => targets.map((target) => kindOf(mutator, target)))
  .filter((kind) => kind.places().length > 0);
