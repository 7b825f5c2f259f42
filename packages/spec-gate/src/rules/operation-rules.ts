import type { Rule } from "./rule.ts";

const lifecycle = <Kind extends string>(kind: Kind, words: string) =>
  ({
    [`${kind}-deprecated`]: {
      effect: "widens",
      response: "minor",
      finds: `${words} is deprecated, and a date is declared.`,
    },
    [`${kind}-deprecated-without-date`]: {
      effect: "widens",
      response: "minor",
      unless: [
        { direction: "request", verdict: "major", when: "with --require-sunset" },
        { direction: "response", verdict: "major", when: "with --require-sunset" },
      ],
      finds: `${words} is deprecated, and no date says until when it stays.`,
    },
    [`${kind}-reactivated`]: {
      effect: "widens",
      request: "patch",
      response: "patch",
      finds: `${words} is no longer deprecated.`,
    },
  }) as unknown as Record<
    `${Kind}-deprecated` | `${Kind}-deprecated-without-date` | `${Kind}-reactivated`,
    Rule
  >;

/** Rules about operations and their parts, except schemas. */
export const operationRules = {
  "operation-removed": { effect: "changes", finds: "An operation was removed." },
  "operation-added": { effect: "widens", response: "minor", finds: "An operation was added." },
  "removed-after-sunset": {
    effect: "narrows",
    request: "minor",
    response: "minor",
    finds: "Something deprecated was removed after its announced date.",
  },
  "removed-before-sunset": {
    effect: "changes",
    finds: "Something deprecated was removed before its announced date.",
  },
  "operation-id-changed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    finds: "The operationId changed; generated clients name their methods after it.",
  },
  "tag-added": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "An operation has an additional tag.",
  },
  "tag-removed": {
    effect: "narrows",
    request: "patch",
    response: "patch",
    finds: "An operation lost a tag.",
  },
  ...lifecycle("operation", "An operation"),
  ...lifecycle("parameter", "A parameter"),
  ...lifecycle("property", "A member"),
  ...lifecycle("security-scheme", "A security scheme"),
  "sunset-too-soon": {
    effect: "narrows",
    response: "major",
    finds: "Something is deprecated with an end date in the past.",
  },
  "sunset-unreadable": {
    effect: "narrows",
    response: "major",
    finds: "The announced end is not a date.",
  },
  "sunset-brought-forward": {
    effect: "narrows",
    response: "major",
    finds: "The announced end is earlier.",
  },
  "sunset-removed": {
    effect: "narrows",
    response: "major",
    finds: "The end is no longer announced.",
  },
  "stability-decreased": {
    effect: "narrows",
    response: "major",
    finds: "The stability level is lower.",
  },
  "stability-increased": {
    effect: "widens",
    response: "minor",
    finds: "The stability level is higher.",
  },
  "stability-unknown": {
    effect: "narrows",
    response: "major",
    finds: "The stability level must be draft, alpha, beta or stable.",
  },

  "parameter-removed": { effect: "changes", finds: "A parameter was removed." },
  "parameter-added": {
    effect: "widens",
    response: "minor",
    finds: "An optional parameter was added.",
  },
  "required-parameter-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required parameter was added.",
  },
  "parameter-became-required": { effect: "narrows", finds: "A parameter became required." },
  "parameter-became-optional": { effect: "widens", finds: "A parameter became optional." },
  "parameter-renamed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    finds: "A path parameter was renamed; requests do not contain its name.",
  },
  "parameter-serialization-changed": {
    effect: "changes",
    finds: "The serialization of a parameter changed: style, explode, allowReserved or content.",
  },
  "empty-value-forbidden": {
    effect: "narrows",
    finds: "A parameter no longer accepts an empty value.",
  },
  "empty-value-allowed": { effect: "widens", finds: "A parameter also accepts an empty value." },

  "request-body-added": {
    effect: "widens",
    response: "minor",
    finds: "An optional body was added.",
  },
  "required-request-body-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required body was added.",
  },
  "request-body-removed": { effect: "changes", finds: "The request no longer has a body." },
  "request-body-became-required": { effect: "narrows", finds: "The body became required." },
  "request-body-became-optional": { effect: "widens", finds: "The body became optional." },
  "media-type-added": {
    effect: "widens",
    response: "minor",
    unless: [
      {
        direction: "request",
        verdict: "major",
        when: "for the first body of the response to a webhook or callback",
      },
    ],
    finds: "A media type was added to a body.",
  },
  "media-type-removed": { effect: "changes", finds: "A media type of a body was removed." },
  "media-type-generalized": {
    effect: "widens",
    unless: [
      {
        direction: "request",
        verdict: "major",
        when: "for a type such as application/json in place of one derived from it",
      },
    ],
    finds: "A media type was replaced by a wider range.",
  },
  "media-type-specialized": {
    effect: "narrows",
    unless: [
      {
        direction: "response",
        verdict: "major",
        when: "for a type derived from the old one, such as application/problem+json",
      },
    ],
    finds: "A media type was replaced by a narrower one.",
  },
  "media-type-name-changed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    unless: [
      {
        direction: "request",
        verdict: "major",
        when: "if a parameter such as version is new or has another value",
      },
      { direction: "request", verdict: "minor", when: "if a parameter is no longer needed" },
      {
        direction: "response",
        verdict: "major",
        when: "if a parameter such as version is gone or has another value",
      },
    ],
    finds: "The parameters of a media type changed, such as its charset.",
  },
  "media-type-schema-added": { effect: "narrows", finds: "A body without a schema got one." },
  "media-type-schema-removed": { effect: "widens", finds: "A body lost its schema." },
  "encoding-changed": {
    effect: "changes",
    unless: [
      { direction: "request", verdict: "minor", when: "if a part may have more media types" },
      { direction: "response", verdict: "patch", when: "if a part has fewer media types" },
    ],
    finds: "The encoding of a part of a form changed.",
  },

  "success-status-removed": {
    effect: "changes",
    finds: "A success status of an operation was removed.",
  },
  "success-status-added": {
    effect: "widens",
    response: "minor",
    finds: "A success status was added to an operation.",
  },
  "error-status-removed": {
    effect: "narrows",
    request: "patch",
    finds: "An error of an operation was removed. Clients that handle it still work.",
  },
  "error-status-added": {
    effect: "widens",
    response: "minor",
    finds: "An error was added to an operation. Clients must handle unknown statuses.",
  },
  "response-header-added": {
    effect: "widens",
    response: "minor",
    unless: [
      {
        direction: "request",
        verdict: "major",
        when: "if it is required, in the response to a webhook or callback",
      },
    ],
    finds: "A header was added to a response.",
  },
  "response-header-removed": { effect: "changes", finds: "A header of a response was removed." },
  "response-header-became-optional": {
    effect: "widens",
    finds: "A header of a response became optional.",
  },
  "response-header-became-required": {
    effect: "narrows",
    finds: "A header of a response became required.",
  },
  "response-status-widened": {
    effect: "widens",
    response: "minor",
    finds: "A range of statuses such as 2XX took the place of its statuses.",
  },
  "response-status-narrowed": {
    effect: "narrows",
    unless: [{ direction: "request", verdict: "patch", when: "for a range of errors" }],
    finds: "A range of statuses such as 2XX gave way to some of its statuses.",
  },
  "part-header-added": {
    effect: "widens",
    response: "minor",
    unless: [{ direction: "request", verdict: "major", when: "if it is required" }],
    finds: "A header was added to a part of a form.",
  },
  "part-header-removed": { effect: "changes", finds: "A header of a part of a form was removed." },
  "part-header-became-optional": {
    effect: "widens",
    finds: "A header of a part of a form became optional.",
  },
  "part-header-became-required": {
    effect: "narrows",
    finds: "A header of a part of a form became required.",
  },
  "link-added": { effect: "widens", response: "patch", finds: "A link was added to a response." },
  "link-removed": {
    effect: "narrows",
    request: "patch",
    finds: "A link of a response was removed.",
  },
  "link-changed": { effect: "changes", response: "patch", finds: "The target of a link changed." },
  "callback-added": { effect: "widens", response: "minor", finds: "A callback was added." },
  "callback-removed": { effect: "changes", finds: "A callback was removed." },
  "webhook-added": { effect: "widens", response: "minor", finds: "A webhook was added." },
  "webhook-removed": { effect: "changes", finds: "A webhook was removed." },

  "security-tightened": {
    effect: "narrows",
    finds: "An authentication method is no longer accepted.",
  },
  "security-loosened": { effect: "widens", finds: "Another authentication method is accepted." },
  "scope-added": { effect: "narrows", finds: "An operation requires an additional scope." },
  "scope-removed": { effect: "widens", finds: "An operation no longer requires a scope." },
  "security-scheme-added": { effect: "widens", finds: "A security scheme was added." },
  "security-scheme-removed": {
    effect: "narrows",
    request: "patch",
    finds: "A security scheme was removed; operations that required it are reported separately.",
  },
  "security-scheme-renamed": {
    effect: "changes",
    request: "none",
    finds: "A security scheme was renamed; messages do not contain its name.",
  },
  "security-scheme-changed": {
    effect: "changes",
    unless: [
      {
        direction: "request",
        verdict: "minor",
        when: "for a new URL that only helps, such as refreshUrl",
      },
    ],
    finds: "The way in which credentials are sent or obtained changed.",
  },
  "oauth-scope-added": { effect: "widens", finds: "A scope was added." },
  "oauth-scope-removed": { effect: "narrows", finds: "A scope can no longer be requested." },
  "server-added": { effect: "widens", finds: "A server URL was added." },
  "server-removed": { effect: "narrows", finds: "A server URL was removed." },
  "server-changed": { effect: "changes", finds: "A server URL changed." },
  "server-variable-changed": {
    effect: "changes",
    unless: [{ direction: "request", verdict: "minor", when: "if it may have more values" }],
    finds: "A variable of a server URL has another default, or lost a value.",
  },
  "component-removed": {
    effect: "narrows",
    request: "none",
    response: "none",
    finds: "A schema is no longer a component; messages stay the same.",
  },

  "consumer-does-not-compile": {
    effect: "changes",
    finds:
      "A client of the old document does not compile against the new types, and no other change explains it. Only with --consumers.",
  },
  "contract-case-fails": {
    effect: "changes",
    finds:
      "A contract case of the old document fails against the new server. Only with --with-server.",
  },

  "version-decreased": {
    effect: "changes",
    finds: "info.version is lower.",
  },
  "version-not-raised": {
    effect: "changes",
    finds: "info.version is raised less than the changes require. Only with --check-version.",
  },
  "filter-field-added": {
    effect: "widens",
    response: "minor",
    finds: "A field was added to x-fql.",
  },
  "filter-field-removed": { effect: "narrows", finds: "A field of x-fql was removed." },
  "filter-field-changed": { effect: "changes", finds: "The type of a field of x-fql changed." },
  "filter-operator-added": {
    effect: "widens",
    finds: "A field of x-fql accepts another operator.",
  },
  "filter-operator-removed": {
    effect: "narrows",
    finds: "A field of x-fql no longer accepts an operator.",
  },
  "filter-sort-added": { effect: "widens", finds: "A field of x-fql became sortable." },
  "filter-sort-removed": { effect: "narrows", finds: "A field of x-fql is no longer sortable." },
  "filter-added": { effect: "widens", finds: "A string became a filter." },
  "filter-removed": { effect: "narrows", finds: "A string is no longer a filter." },
  "filter-changed": { effect: "changes", finds: "A string became a filter over other fields." },
  "paging-changed": { effect: "changes", finds: "x-paging changed." },
  "paging-added": { effect: "widens", finds: "An operation became paged." },
} as const satisfies Record<string, Rule>;
