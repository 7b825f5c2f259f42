import {
  text,
  query,
  filter,
  field,
  paged,
  sent,
  answered,
  deprecated,
  secured,
  closed,
  type Case,
} from "./case.ts";

/** Changes of examples, announced ends, and extensions. */
export const annotationsCases: readonly Case[] = [
  [
    "the order of alternatives",
    secured({ key: [] }, { app: [] }),
    secured({ app: [] }, { key: [] }),
    [],
    [],
  ],

  [
    "an example of a request that is refused after it",
    sent({ type: "integer" }, { examples: { large: { value: 9 }, small: { value: 1 } } }),
    sent({ type: "integer", maximum: 5 }, {}),
    ["maximum-added request major"],
    ["maximum-removed request minor"],
  ],
  [
    "an example of an answer that was not possible before",
    answered({ type: "integer", maximum: 5 }, { example: 4 }),
    answered({ type: "integer" }, { example: 9 }),
    ["maximum-removed response major"],
    ["maximum-added response patch"],
  ],
  [
    "a member that an example shows, after its announced end",
    sent(
      {
        ...closed,
        properties: { old: { ...text, deprecated: true, "x-sunset": "2020-01-01" } },
      },
      { example: { old: "x" } },
    ),
    sent({ ...closed, properties: {} }, {}),
    ["removed-after-sunset request minor"],
    ["property-added request minor"],
  ],
  [
    "an example that its own document refuses",
    sent({ type: "integer" }, { example: "nine" }),
    sent({ type: "integer", maximum: 5 }, {}),
    ["maximum-added request major"],
    ["maximum-removed request minor"],
  ],

  [
    "the end of a member",
    deprecated({ "x-sunset": "2030-06-01" }),
    deprecated({ "x-sunset": "2030-01-01" }),
    ["sunset-brought-forward response major"],
    [],
  ],
  [
    "whether the end of a member is announced",
    deprecated({ "x-sunset": "2030-06-01" }),
    deprecated(),
    ["sunset-removed response major"],
    [],
  ],

  [
    "a filter",
    query(text),
    filter({ name: field }),
    ["filter-added request minor"],
    ["filter-removed request major"],
  ],
  [
    "the use of a filter",
    filter({ name: field }),
    filter({ name: field }, "sort"),
    ["filter-changed request major"],
    ["filter-changed request major"],
  ],
  [
    "a field of a filter",
    filter({ name: field }),
    filter({ name: field, size: field }),
    ["filter-field-added request minor"],
    ["filter-field-removed request major"],
  ],
  [
    "the type of a field",
    filter({ name: field }),
    filter({ name: { ...field, type: "integer" } }),
    ["filter-field-changed request major"],
    ["filter-field-changed request major"],
  ],
  [
    "an operator of a field",
    filter({ name: { ...field, operators: ["="] } }),
    filter({ name: field }),
    ["filter-operator-added request minor"],
    ["filter-operator-removed request major"],
  ],
  [
    "whether a field sorts",
    filter({ name: { ...field, sortable: false } }),
    filter({ name: field }),
    ["filter-sort-added request minor"],
    ["filter-sort-removed request major"],
  ],
  [
    "pages",
    paged(),
    paged("offset"),
    ["paging-added request minor"],
    ["paging-changed request major"],
  ],
  [
    "the kind of pages",
    paged("offset"),
    paged("cursor"),
    ["paging-changed request major"],
    ["paging-changed request major"],
  ],
];
