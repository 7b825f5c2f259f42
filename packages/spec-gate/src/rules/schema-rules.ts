import type { Rule } from "./rule.ts";

/** Rules about the values that a schema allows. */
export const schemaRules = {
  "type-narrowed": { effect: "narrows", finds: "A type is no longer allowed." },
  "type-widened": { effect: "widens", finds: "Another type is allowed." },
  "type-changed": { effect: "changes", finds: "One type took the place of another." },
  "null-forbidden": { effect: "narrows", finds: "Null is no longer allowed." },
  "null-allowed": { effect: "widens", finds: "Null is allowed." },

  "maximum-added": { effect: "narrows", finds: "Numbers have an upper limit." },
  "maximum-removed": { effect: "widens", finds: "Numbers have no upper limit any more." },
  "maximum-lowered": { effect: "narrows", finds: "The upper limit of numbers is lower." },
  "maximum-raised": { effect: "widens", finds: "The upper limit of numbers is higher." },
  "minimum-added": { effect: "narrows", finds: "Numbers have a lower limit." },
  "minimum-removed": { effect: "widens", finds: "Numbers have no lower limit any more." },
  "minimum-raised": { effect: "narrows", finds: "The lower limit of numbers is higher." },
  "minimum-lowered": { effect: "widens", finds: "The lower limit of numbers is lower." },
  "multiple-of-narrowed": { effect: "narrows", finds: "Numbers must be multiples of more." },
  "multiple-of-widened": { effect: "widens", finds: "Numbers must be multiples of less." },
  "multiple-of-changed": { effect: "changes", finds: "Numbers must be multiples of another step." },

  "max-length-added": { effect: "narrows", finds: "Strings have a largest length." },
  "max-length-removed": { effect: "widens", finds: "Strings have no largest length any more." },
  "max-length-lowered": { effect: "narrows", finds: "The largest length of strings is lower." },
  "max-length-raised": { effect: "widens", finds: "The largest length of strings is higher." },
  "min-length-raised": { effect: "narrows", finds: "The smallest length of strings is higher." },
  "min-length-lowered": { effect: "widens", finds: "The smallest length of strings is lower." },
  "pattern-added": { effect: "narrows", finds: "Strings must match a pattern." },
  "pattern-removed": { effect: "widens", finds: "Strings need not match a pattern any more." },
  "pattern-narrowed": { effect: "narrows", finds: "The pattern matches fewer strings." },
  "pattern-widened": { effect: "widens", finds: "The pattern matches more strings." },
  "pattern-changed": {
    effect: "changes",
    finds: "The pattern differs, and neither form is proven to match all that the other matches.",
  },
  "format-added": { effect: "narrows", finds: "Values have a format." },
  "format-removed": { effect: "widens", finds: "Values have no format any more." },
  "format-narrowed": {
    effect: "narrows",
    finds: "The format allows less, such as uri after iri.",
  },
  "format-widened": {
    effect: "widens",
    finds: "The format allows more, such as iri after uri.",
  },
  "format-changed": { effect: "changes", finds: "Values have another format." },
  "content-encoding-changed": { effect: "changes", finds: "Strings are encoded in another way." },
  "content-media-type-changed": { effect: "changes", finds: "Strings hold another media type." },
  "content-schema-added": { effect: "narrows", finds: "The content of strings has a schema." },
  "content-schema-removed": {
    effect: "widens",
    finds: "The content of strings has no schema any more.",
  },

  "enumeration-added": { effect: "narrows", finds: "Only listed values are allowed." },
  "enumeration-removed": { effect: "widens", finds: "Values are no longer limited to a list." },
  "values-changed": {
    effect: "changes",
    finds: "Listed values and limits took the place of each other, and not all values fit both.",
  },
  "enum-value-removed": { effect: "narrows", finds: "A listed value is no longer allowed." },
  "enum-value-added": { effect: "widens", finds: "Another listed value is allowed." },
  "constant-changed": { effect: "changes", finds: "The only value is another one." },
  "extensible-enum-value-removed": {
    effect: "narrows",
    finds: "A value is gone from x-extensible-enum.",
  },
  "extensible-enum-value-added": {
    effect: "widens",
    response: "minor",
    finds: "A value was added to x-extensible-enum, which readers expect to grow.",
  },

  "max-items-added": { effect: "narrows", finds: "Lists have a largest length." },
  "max-items-removed": { effect: "widens", finds: "Lists have no largest length any more." },
  "max-items-lowered": { effect: "narrows", finds: "The largest length of lists is lower." },
  "max-items-raised": { effect: "widens", finds: "The largest length of lists is higher." },
  "min-items-raised": { effect: "narrows", finds: "The smallest length of lists is higher." },
  "min-items-lowered": { effect: "widens", finds: "The smallest length of lists is lower." },
  "unique-items-added": { effect: "narrows", finds: "Lists must not hold a value twice." },
  "unique-items-removed": { effect: "widens", finds: "Lists may hold a value twice." },
  "contains-added": { effect: "narrows", finds: "Lists must contain certain items." },
  "contains-removed": { effect: "widens", finds: "Lists need not contain certain items any more." },
  "contains-changed": { effect: "changes", finds: "Lists must contain other items." },
  "min-contains-raised": { effect: "narrows", finds: "Lists must contain more of certain items." },
  "min-contains-lowered": { effect: "widens", finds: "Lists may contain fewer of certain items." },
  "max-contains-lowered": { effect: "narrows", finds: "Lists may contain fewer of certain items." },
  "max-contains-raised": { effect: "widens", finds: "Lists may contain more of certain items." },

  "property-removed": {
    effect: "changes",
    finds:
      "A member is gone: what a client sends in it is lost or refused, and what it reads from it is missing.",
  },
  "property-added": {
    effect: "widens",
    response: "minor",
    finds: "An optional member is new. Readers ignore members that they do not know.",
  },
  "required-property-added": {
    effect: "narrows",
    response: "minor",
    finds: "A required member is new.",
  },
  "property-became-required": { effect: "narrows", finds: "A member is required now." },
  "property-became-optional": { effect: "widens", finds: "A member may be missing now." },
  "property-became-read-only": {
    effect: "narrows",
    finds: "A member is only in answers now; what a client sends in it is lost.",
  },
  "property-no-longer-read-only": {
    effect: "widens",
    response: "patch",
    finds: "A member may be sent now.",
  },
  "required-property-no-longer-read-only": {
    effect: "narrows",
    finds: "A required member must be sent now.",
  },
  "property-became-write-only": {
    effect: "changes",
    request: "patch",
    finds: "A member is only in requests now; answers lack it.",
  },
  "property-no-longer-write-only": {
    effect: "widens",
    request: "patch",
    response: "minor",
    finds: "A member is also in responses.",
  },
  "max-properties-added": { effect: "narrows", finds: "Objects have a largest number of members." },
  "max-properties-removed": {
    effect: "widens",
    finds: "Objects have no largest number of members any more.",
  },
  "max-properties-lowered": { effect: "narrows", finds: "Objects may have fewer members." },
  "max-properties-raised": { effect: "widens", finds: "Objects may have more members." },
  "min-properties-raised": { effect: "narrows", finds: "Objects must have more members." },
  "min-properties-lowered": { effect: "widens", finds: "Objects may have fewer members." },
  "additional-properties-forbidden": {
    effect: "narrows",
    finds: "Members that are not declared are refused.",
  },
  "additional-properties-allowed": {
    effect: "widens",
    response: "minor",
    finds: "Members that are not declared are allowed. Readers ignore them.",
  },
  "pattern-property-added": { effect: "narrows", finds: "Members of certain names have a schema." },
  "pattern-property-removed": {
    effect: "widens",
    finds: "Members of certain names have no schema any more.",
  },
  "property-names-added": { effect: "narrows", finds: "The names of members are limited." },
  "property-names-removed": {
    effect: "widens",
    finds: "The names of members are no longer limited.",
  },
  "dependent-required-added": {
    effect: "narrows",
    finds: "A member requires another one beside it.",
  },
  "dependent-required-removed": {
    effect: "widens",
    finds: "A member no longer requires another one beside it.",
  },
  "dependent-schema-added": { effect: "narrows", finds: "A member brings a schema with it." },
  "dependent-schema-removed": {
    effect: "widens",
    finds: "A member no longer brings a schema with it.",
  },

  "alternative-added": { effect: "widens", finds: "oneOf or anyOf has another alternative." },
  "alternative-removed": { effect: "narrows", finds: "oneOf or anyOf lacks an alternative." },
  "condition-added": { effect: "narrows", finds: "not, or if with then and else, was added." },
  "condition-removed": { effect: "widens", finds: "not, or if with then and else, was removed." },
  "condition-changed": {
    effect: "changes",
    finds: "not, or if with then and else, differs, and neither form is proven to imply the other.",
  },
  "discriminator-added": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "A member says which alternative a value is.",
  },
  "discriminator-removed": {
    effect: "widens",
    request: "patch",
    response: "patch",
    finds: "No member says which alternative a value is any more.",
  },
  "discriminator-changed": {
    effect: "changes",
    finds: "Another member says which alternative a value is.",
  },
  "discriminator-value-added": {
    effect: "widens",
    response: "minor",
    finds: "The discriminator has another value.",
  },
  "discriminator-value-removed": {
    effect: "narrows",
    finds: "The discriminator lacks a value.",
  },
  "discriminator-value-changed": {
    effect: "changes",
    finds: "A value of the discriminator stands for another alternative.",
  },

  "could-not-be-judged": {
    effect: "changes",
    finds:
      "A schema is too complex, or a pattern is not one of RE2, so that a change may break clients.",
  },

  "default-added": {
    effect: "widens",
    response: "patch",
    finds: "What is left out has a default.",
  },
  "default-removed": {
    effect: "changes",
    response: "patch",
    finds: "What is left out has no default any more.",
  },
  "default-changed": {
    effect: "changes",
    response: "patch",
    finds: "What is left out means another value.",
  },
} as const satisfies Record<string, Rule>;
