/** Sources that Stryker changes, and the test files of the same package that must notice. */
export interface Part {
  readonly name: string;
  readonly place: string;
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /**
   * Whether hooks of tests run the sources, too, such as to start a server. Stryker would then run all tests for most
   * changes, rather than those that reach the change; but it leaves out what only the loading of a module runs.
   */
  readonly hooksRunIt?: true;
}

export const parts: readonly Part[] = [
  {
    name: "fql",
    place: "packages/fql",
    mutate: ["src/{builder,language,meaning,values}/*.ts"],
    tests: ["src/**/*.test.ts", "tests/**/*.test.ts"],
  },
  {
    name: "operations",
    place: "packages/client",
    mutate: ["src/operations/*.ts"],
    tests: ["src/**/*.test.ts", "tests/**/*.test.ts"],
  },
  {
    name: "records",
    place: "packages/server",
    hooksRunIt: true,
    mutate: ["src/records/**/*.ts"],
    tests: [
      "src/records/**/*.test.ts",
      "tests/records-write.test.ts",
      "tests/sort-by-name.test.ts",
      "tests/aggregates.test.ts",
      "tests/idempotency-keys.test.ts",
      "tests/cases-search.test.ts",
      "tests/data-protection-{records,relations,search}.test.ts",
      "tests/downloads-list.test.ts",
      "tests/hosts{,-scroll}.test.ts",
      "tests/ioa-exclusions-{change,create,search}.test.ts",
      "tests/ioc-{create,delete,pages,search,update}.test.ts",
      "tests/prevention-{create,precedence,search,update}.test.ts",
      "tests/users-query.test.ts",
    ],
  },
  {
    name: "requests",
    place: "packages/server",
    hooksRunIt: true,
    mutate: ["src/http/requests/*.ts"],
    tests: [
      "src/http/requests/*.test.ts",
      "tests/http-{access,edge,overload,request-turns,requests,targets}.test.ts",
      "tests/idempotency-keys.test.ts",
    ],
  },
];
