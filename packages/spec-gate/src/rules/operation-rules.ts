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
      finds: `${words} is deprecated, and no date says until when it stays.`,
    },
    [`${kind}-reactivated`]: {
      effect: "widens",
      request: "patch",
      response: "patch",
      finds: `${words} is no longer deprecated.`,
    },
  }) as Record<
    `${Kind}-deprecated` | `${Kind}-deprecated-without-date` | `${Kind}-reactivated`,
    Rule
  >;

/** Rules about operations and their parts, except schemas. */
export const operationRules = {
  "operation-removed": { effect: "changes", finds: "An operation is gone." },
  "operation-added": { effect: "widens", response: "minor", finds: "An operation is new." },
  "removed-after-sunset": {
    effect: "narrows",
    request: "minor",
    response: "minor",
    finds: "Something deprecated is gone, after the day that was announced.",
  },
  "removed-before-sunset": {
    effect: "changes",
    finds: "Something deprecated is gone before the day that was announced.",
  },
  "operation-id-changed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    finds: "The operationId differs, which names methods of generated clients.",
  },
  "tag-added": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "An operation has another tag.",
  },
  "tag-removed": {
    effect: "narrows",
    request: "patch",
    response: "patch",
    finds: "An operation lacks a tag.",
  },
  ...lifecycle("operation", "An operation"),
  ...lifecycle("parameter", "A parameter"),
  ...lifecycle("property", "A member"),
  "sunset-too-soon": {
    effect: "narrows",
    response: "major",
    finds: "Something is deprecated with an end that is past.",
  },
  "sunset-unreadable": {
    effect: "narrows",
    response: "major",
    finds: "The announced end is no date.",
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
    finds: "The stability level is none of draft, alpha, beta and stable.",
  },

  "parameter-removed": { effect: "changes", finds: "A parameter is gone." },
  "parameter-added": {
    effect: "widens",
    response: "minor",
    finds: "An optional parameter is new.",
  },
  "required-parameter-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required parameter is new.",
  },
  "parameter-became-required": { effect: "narrows", finds: "A parameter is required now." },
  "parameter-became-optional": { effect: "widens", finds: "A parameter may be missing now." },
  "parameter-renamed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    finds: "A path parameter has another name, which requests do not carry.",
  },
  "parameter-serialization-changed": {
    effect: "changes",
    finds: "A parameter is written in another way: style, explode, allowReserved or content.",
  },
  "empty-value-forbidden": { effect: "narrows", finds: "A parameter must have a value now." },
  "empty-value-allowed": { effect: "widens", finds: "A parameter may have no value now." },

  "request-body-added": { effect: "widens", response: "minor", finds: "An optional body is new." },
  "required-request-body-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required body is new.",
  },
  "request-body-removed": { effect: "changes", finds: "The request has no body any more." },
  "request-body-became-required": { effect: "narrows", finds: "The body is required now." },
  "request-body-became-optional": { effect: "widens", finds: "The body may be missing now." },
  "media-type-added": {
    effect: "widens",
    response: "minor",
    finds: "A body also has another form.",
  },
  "media-type-removed": { effect: "changes", finds: "A body lacks a form that it had." },
  "media-type-generalized": { effect: "widens", finds: "A media type became a wider range." },
  "media-type-specialized": { effect: "narrows", finds: "A media type became a narrower one." },
  "media-type-name-changed": {
    effect: "changes",
    request: "patch",
    response: "patch",
    finds: "The parameters of a media type differ, such as its charset.",
  },
  "media-type-schema-added": { effect: "narrows", finds: "A body has a schema." },
  "media-type-schema-removed": { effect: "widens", finds: "A body has no schema any more." },
  "encoding-changed": { effect: "changes", finds: "A part of a form is written in another way." },

  "success-status-removed": { effect: "changes", finds: "An operation lacks a success." },
  "success-status-added": {
    effect: "widens",
    response: "minor",
    finds: "An operation has another success.",
  },
  "error-status-removed": {
    effect: "narrows",
    request: "patch",
    finds: "An operation lacks an error. Clients handle errors that never come.",
  },
  "error-status-added": {
    effect: "widens",
    response: "minor",
    finds: "An operation has another error. Clients handle statuses that they do not know.",
  },
  "response-header-added": {
    effect: "widens",
    response: "minor",
    finds: "A response has another header.",
  },
  "response-header-removed": { effect: "changes", finds: "A response lacks a header." },
  "response-header-became-optional": {
    effect: "widens",
    finds: "A header of a response may be missing now.",
  },
  "response-header-became-required": {
    effect: "narrows",
    finds: "A header of a response is always there now.",
  },
  "link-added": { effect: "widens", response: "patch", finds: "A response has another link." },
  "link-removed": { effect: "narrows", request: "patch", finds: "A response lacks a link." },
  "link-changed": { effect: "changes", response: "patch", finds: "A link leads elsewhere." },
  "callback-added": { effect: "widens", response: "minor", finds: "A callback is new." },
  "callback-removed": { effect: "changes", finds: "A callback is gone." },
  "webhook-added": { effect: "widens", response: "minor", finds: "A webhook is new." },
  "webhook-removed": { effect: "changes", finds: "A webhook is gone." },

  "security-tightened": {
    effect: "narrows",
    finds: "A way to authenticate that sufficed does not any more.",
  },
  "security-loosened": { effect: "widens", finds: "Another way to authenticate suffices." },
  "scope-added": { effect: "narrows", finds: "An operation needs another scope." },
  "scope-removed": { effect: "widens", finds: "An operation needs a scope no more." },
  "security-scheme-added": { effect: "widens", finds: "A security scheme is new." },
  "security-scheme-removed": {
    effect: "narrows",
    request: "patch",
    finds: "A security scheme is gone; where operations needed it, they say so.",
  },
  "security-scheme-renamed": {
    effect: "changes",
    request: "none",
    finds: "A security scheme has another name and the same definition, which no message shows.",
  },
  "security-scheme-changed": {
    effect: "changes",
    finds: "Credentials are sent or obtained in another way.",
  },
  "oauth-scope-added": { effect: "widens", finds: "A scope is new." },
  "oauth-scope-removed": { effect: "narrows", finds: "A scope cannot be requested any more." },
  "server-added": { effect: "widens", finds: "The API has another URL." },
  "server-removed": { effect: "narrows", finds: "The API lacks a URL." },
  "server-changed": { effect: "changes", finds: "The URL of the API differs." },
  "server-variable-changed": {
    effect: "changes",
    finds: "The URL of the API has another default, or lacks a value.",
  },
  "component-removed": {
    effect: "narrows",
    request: "none",
    response: "none",
    finds: "A schema is no longer a component; no message changes by that.",
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
  "engine-only": {
    effect: "changes",
    request: "none",
    response: "none",
    finds: "redocly diff calls a change major that does not affect clients by our comparison.",
  },

  "version-decreased": {
    effect: "changes",
    request: "patch",
    finds: "info.version is lower.",
  },
  "version-not-raised": {
    effect: "changes",
    finds: "info.version is not raised as far as the changes need it. Only with --check-version.",
  },
  "example-no-longer-holds": {
    effect: "narrows",
    response: "major",
    finds: "An example of one document is not valid in the other one.",
  },
  "filter-field-added": { effect: "widens", response: "minor", finds: "x-fql has another field." },
  "filter-field-removed": { effect: "narrows", finds: "x-fql lacks a field." },
  "filter-field-changed": { effect: "changes", finds: "A field of x-fql has another type." },
  "filter-operator-added": { effect: "widens", finds: "A field of x-fql takes another operator." },
  "filter-operator-removed": { effect: "narrows", finds: "A field of x-fql lacks an operator." },
  "filter-sort-added": { effect: "widens", finds: "A field of x-fql sorts." },
  "filter-sort-removed": { effect: "narrows", finds: "A field of x-fql sorts no more." },
  "filter-added": { effect: "widens", finds: "A text takes a filter." },
  "filter-removed": { effect: "narrows", finds: "A text takes a filter no more." },
  "filter-changed": { effect: "changes", finds: "A text takes another kind of filter." },
  "paging-changed": { effect: "changes", finds: "x-paging differs." },
  "paging-added": { effect: "widens", finds: "An operation has pages." },
} as const satisfies Record<string, Rule>;
