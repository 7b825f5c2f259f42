import type { Rule } from "./rule.ts";

/** Rules about the values that a schema allows. */
export const schemaRules = {
  "type-narrowed": { effect: "narrows", finds: "A type is no longer allowed." },
  "type-widened": { effect: "widens", finds: "Another type is allowed." },
  "type-changed": { effect: "changes", finds: "A type was replaced by another one." },
  "null-forbidden": { effect: "narrows", finds: "Null is no longer allowed." },
  "null-allowed": { effect: "widens", finds: "Null is allowed." },

  "maximum-added": { effect: "narrows", finds: "Numbers got an upper limit." },
  "maximum-removed": { effect: "widens", finds: "Numbers no longer have an upper limit." },
  "maximum-lowered": { effect: "narrows", finds: "The upper limit of numbers is lower." },
  "maximum-raised": { effect: "widens", finds: "The upper limit of numbers is higher." },
  "minimum-added": { effect: "narrows", finds: "Numbers got a lower limit." },
  "minimum-removed": { effect: "widens", finds: "Numbers no longer have a lower limit." },
  "minimum-raised": { effect: "narrows", finds: "The lower limit of numbers is higher." },
  "minimum-lowered": { effect: "widens", finds: "The lower limit of numbers is lower." },
  "multiple-of-narrowed": {
    effect: "narrows",
    finds: "Numbers must be multiples of a larger step.",
  },
  "multiple-of-widened": { effect: "widens", finds: "Numbers may be multiples of a smaller step." },
  "multiple-of-changed": { effect: "changes", finds: "Numbers must be multiples of another step." },

  "max-length-added": { effect: "narrows", finds: "Strings got a maximum length." },
  "max-length-removed": { effect: "widens", finds: "Strings no longer have a maximum length." },
  "max-length-lowered": { effect: "narrows", finds: "The maximum length of strings is lower." },
  "max-length-raised": { effect: "widens", finds: "The maximum length of strings is higher." },
  "min-length-raised": { effect: "narrows", finds: "The minimum length of strings is higher." },
  "min-length-lowered": { effect: "widens", finds: "The minimum length of strings is lower." },
  "pattern-added": { effect: "narrows", finds: "Strings must match a pattern." },
  "pattern-removed": { effect: "widens", finds: "Strings no longer need to match a pattern." },
  "pattern-narrowed": { effect: "narrows", finds: "The pattern matches fewer strings." },
  "pattern-widened": { effect: "widens", finds: "The pattern matches more strings." },
  "pattern-changed": {
    effect: "changes",
    finds: "The pattern changed, and neither form is proven to match all strings of the other.",
  },
  "format-added": { effect: "narrows", finds: "Values got a format." },
  "format-removed": { effect: "widens", finds: "Values no longer have a format." },
  "format-narrowed": {
    effect: "narrows",
    finds: "The format allows less, such as uri after iri.",
  },
  "format-widened": {
    effect: "widens",
    finds: "The format allows more, such as iri after uri.",
  },
  "format-changed": { effect: "changes", finds: "The format of values changed." },
  "content-encoding-changed": { effect: "changes", finds: "The encoding of strings changed." },
  "content-media-type-changed": { effect: "changes", finds: "The media type of strings changed." },
  "content-schema-added": { effect: "narrows", finds: "The content of strings got a schema." },
  "content-schema-removed": {
    effect: "widens",
    finds: "The content of strings no longer has a schema.",
  },

  "enumeration-added": { effect: "narrows", finds: "Only listed values are allowed." },
  "enumeration-removed": { effect: "widens", finds: "Values are no longer limited to a list." },
  "values-changed": {
    effect: "changes",
    finds: "An enumeration replaced limits or the reverse, and not all values satisfy both.",
  },
  "enum-value-removed": { effect: "narrows", finds: "A listed value is no longer allowed." },
  "enum-value-added": { effect: "widens", finds: "Another listed value is allowed." },
  "constant-changed": { effect: "changes", finds: "The only allowed value changed." },
  "extensible-enum-value-removed": {
    effect: "narrows",
    finds: "A value was removed from x-extensible-enum.",
  },
  "extensible-enum-value-added": {
    effect: "widens",
    response: "minor",
    finds: "A value was added to x-extensible-enum, which readers expect to grow.",
  },

  "max-items-added": { effect: "narrows", finds: "Lists got a maximum length." },
  "max-items-removed": { effect: "widens", finds: "Lists no longer have a maximum length." },
  "max-items-lowered": { effect: "narrows", finds: "The maximum length of lists is lower." },
  "max-items-raised": { effect: "widens", finds: "The maximum length of lists is higher." },
  "min-items-raised": { effect: "narrows", finds: "The minimum length of lists is higher." },
  "min-items-lowered": { effect: "widens", finds: "The minimum length of lists is lower." },
  "unique-items-added": { effect: "narrows", finds: "Lists must not contain duplicates." },
  "unique-items-removed": { effect: "widens", finds: "Lists may contain duplicates." },
  "contains-added": { effect: "narrows", finds: "Lists must contain certain items." },
  "contains-removed": { effect: "widens", finds: "Lists no longer need to contain certain items." },
  "contains-changed": { effect: "changes", finds: "Lists must contain other items." },
  "min-contains-raised": { effect: "narrows", finds: "Lists must contain more of certain items." },
  "min-contains-lowered": { effect: "widens", finds: "Lists may contain fewer of certain items." },
  "max-contains-lowered": { effect: "narrows", finds: "Lists may contain fewer of certain items." },
  "max-contains-raised": { effect: "widens", finds: "Lists may contain more of certain items." },

  "property-removed": {
    effect: "changes",
    finds:
      "A member was removed: values that clients send are lost or rejected, and values that they read are missing.",
  },
  "property-added": {
    effect: "widens",
    response: "minor",
    finds: "An optional member was added. Readers ignore unknown members.",
  },
  "required-property-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required member was added.",
  },
  "property-became-required": { effect: "narrows", finds: "A member became required." },
  "property-became-optional": { effect: "widens", finds: "A member became optional." },
  "property-became-read-only": {
    effect: "narrows",
    finds: "A member became read-only; values that clients send are lost.",
  },
  "property-no-longer-read-only": {
    effect: "widens",
    response: "patch",
    finds: "A member is no longer read-only.",
  },
  "required-property-no-longer-read-only": {
    effect: "narrows",
    finds: "A required member is no longer read-only, so clients must send it.",
  },
  "property-became-write-only": {
    effect: "changes",
    request: "patch",
    finds: "A member became write-only; responses no longer contain it.",
  },
  "property-no-longer-write-only": {
    effect: "widens",
    request: "patch",
    response: "minor",
    finds: "A member is no longer write-only; responses contain it.",
  },
  "max-properties-added": { effect: "narrows", finds: "Objects got a maximum number of members." },
  "max-properties-removed": {
    effect: "widens",
    finds: "Objects no longer have a maximum number of members.",
  },
  "max-properties-lowered": { effect: "narrows", finds: "Objects may have fewer members." },
  "max-properties-raised": { effect: "widens", finds: "Objects may have more members." },
  "min-properties-raised": { effect: "narrows", finds: "Objects must have more members." },
  "min-properties-lowered": { effect: "widens", finds: "Objects may have fewer members." },
  "additional-properties-forbidden": {
    effect: "narrows",
    finds: "Undeclared members are rejected.",
  },
  "additional-properties-allowed": {
    effect: "widens",
    response: "minor",
    finds: "Undeclared members are allowed. Readers ignore them.",
  },
  "pattern-property-added": {
    effect: "narrows",
    unless: [
      { direction: "request", verdict: "minor", when: "if undeclared members were refused" },
      { direction: "response", verdict: "minor", when: "if undeclared members were refused" },
    ],
    finds: "Members whose names match a pattern got a schema.",
  },
  "pattern-property-removed": {
    effect: "widens",
    unless: [
      { direction: "response", verdict: "patch", when: "if undeclared members are refused" },
      { direction: "request", verdict: "major", when: "if undeclared members are refused" },
    ],
    finds: "Members whose names match a pattern no longer have a schema.",
  },
  "property-names-added": { effect: "narrows", finds: "The names of members are limited." },
  "property-names-removed": {
    effect: "widens",
    finds: "The names of members are no longer limited.",
  },
  "dependent-required-added": {
    effect: "narrows",
    finds: "A member requires another member.",
  },
  "dependent-required-removed": {
    effect: "widens",
    finds: "A member no longer requires another member.",
  },
  "dependent-schema-added": { effect: "narrows", finds: "A member adds a schema to its object." },
  "dependent-schema-removed": {
    effect: "widens",
    finds: "A member no longer adds a schema to its object.",
  },

  "alternative-added": { effect: "widens", finds: "An alternative was added to oneOf or anyOf." },
  "alternative-removed": {
    effect: "narrows",
    finds: "An alternative of oneOf or anyOf was removed.",
  },
  "alternatives-overlap": {
    effect: "narrows",
    finds: "A value matches several alternatives of oneOf, which allows only one.",
  },
  "alternatives-no-longer-overlap": {
    effect: "widens",
    finds: "A value that matched several alternatives of oneOf is allowed.",
  },
  "condition-added": { effect: "narrows", finds: "not, or if with then and else, was added." },
  "condition-removed": { effect: "widens", finds: "not, or if with then and else, was removed." },
  "condition-changed": {
    effect: "changes",
    finds: "not, or if with then and else, changed, and neither form is proven to imply the other.",
  },
  "discriminator-added": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "A discriminator was added.",
  },
  "discriminator-removed": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "The discriminator was removed.",
  },
  "discriminator-changed": {
    effect: "changes",
    finds: "The discriminator is another member.",
  },
  "discriminator-value-added": {
    effect: "widens",
    response: "minor",
    finds: "A value was added to the discriminator.",
  },
  "discriminator-value-removed": {
    effect: "narrows",
    unless: [{ direction: "response", verdict: "major", when: "if another value takes its place" }],
    finds: "A value of the discriminator was removed.",
  },
  "discriminator-value-changed": {
    effect: "changes",
    finds: "A value of the discriminator selects another alternative.",
  },

  "xml-changed": {
    effect: "changes",
    finds: "A value is written in another way in XML: name, attribute, namespace or wrapping.",
  },

  "could-not-be-judged": {
    effect: "changes",
    finds:
      "A schema is too complex, or a pattern is not one of RE2, so that a change may break clients.",
  },

  "default-added": {
    effect: "widens",
    response: "patch",
    unless: [
      {
        direction: "request",
        verdict: "major",
        when: "for a parameter that clients could leave out",
      },
    ],
    finds: "An absent value got a default.",
  },
  "default-removed": {
    effect: "changes",
    response: "patch",
    unless: [
      { direction: "request", verdict: "patch", when: "if clients always had to send the value" },
    ],
    finds: "An absent value no longer has a default.",
  },
  "default-changed": {
    effect: "changes",
    response: "patch",
    unless: [
      { direction: "request", verdict: "patch", when: "if clients always had to send the value" },
    ],
    finds: "The default of an absent value changed.",
  },
} as const satisfies Record<string, Rule>;
