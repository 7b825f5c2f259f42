/**
 * Why our verdict differs from oasdiff's level, or why a check has no finding; the first match
 * applies.
 */
export const differences: readonly (readonly [RegExp, string])[] = [
  [/^new-request-path-parameter$/, "the path had the variable before, so every URL had a value"],
  [/^response-header-became-(?:not-)?nullable$/, "a header is a text, which is never null"],
  [/request-parameter-.*nullable$/, "a parameter is a text, which is never null"],
  [/^response-media-type-name-changed$/, "clients that ask for the old version do not get it"],
  [/^response-media-type-name-specialized$/, "clients that ask for the base type do not get it"],
  [/annotation-only$/, "no message changes; written-otherwise schemas are normalised away"],
  [/oauth-scope-changed$/, "the description of a scope; texts are no changes"],
  [
    /^api-major-version-not-bumped$/,
    "the removal itself is major; the version fails --check-version",
  ],
  [
    /^api-version-decreased$/,
    "fails --check-version; without a change of the API the verdict is none",
  ],
  [/sunset-missing$/, "minor, as most documents have no dates; major with --require-sunset"],
  [/pattern-(changed|removed)$/, "readers may meet values that the pattern excluded"],
  [/became-read-only$/, "what clients send in the member is lost"],
  [/became-not-read-only$/, "a required member must be sent now"],
  [/became-write-only$/, "answers lack the member"],
  [
    /discriminator-(mapping-changed|property-name-changed)$/,
    "messages are read as another alternative",
  ],
  [/discriminator-mapping-deleted$/, "a value that clients send no longer means anything"],
  [/request-.*prefix-items-added$/, "the item was free before, as items does not limit it"],
  [/request-.*prefix-items-removed$/, "the item is free now, so all old requests stay valid"],
  [
    /response-.*prefix-items-added$/,
    "the item is limited now, so all new answers were valid before",
  ],
  [/response-.*prefix-items-removed$/, "the item is free now, so readers may meet anything"],
  [
    /request-.*wrapped-in-one-of$/,
    "the old schema is one of the alternatives, so old requests stay valid",
  ],
  [/response-.*all-of-removed$/, "answers need not fulfil what readers rely on"],
  [/response-.*any-of-added$/, "readers meet an alternative that they do not know"],
  [/response-.*unevaluated-properties-removed$/, "readers ignore members that they do not know"],
  [/default-value-(changed|removed)$/, "a request that leaves the member out means something else"],
  [/security|scope/, "clients without the credentials or the scope are refused"],
];
