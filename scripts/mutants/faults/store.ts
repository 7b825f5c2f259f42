import type { Groups } from "../fault.ts";

export const storeFaults: Groups = {
  tenants: [
    {
      breaks: "a list has the records of other tenants",
      file: "packages/server/src/store/reading/branch-sql.ts",
      text: "const versions = sql`t.cid = ${cid} and t.valid_from",
      replacement: "const versions = sql`t.cid >= '' and t.valid_from",
      tests: [
        "packages/server/tests/store-fence.test.ts",
        "packages/server/tests/ioc-search.test.ts",
        "packages/server/tests/store-visibility.test.ts",
      ],
    },
    {
      breaks: "records of other tenants are read by id",
      file: "packages/server/src/store/reading/view.ts",
      text: 'where t.cid = ${cid} and ${sql.id("t", name)} = listed.value',
      replacement: "where t.cid >= '' and ${sql.id(\"t\", name)} = listed.value",
      tests: [
        "packages/server/tests/store-records.test.ts",
        "packages/server/tests/store-fence.test.ts",
      ],
    },
  ],
  expiry: [
    {
      breaks: "a record is not expired at its instant",
      file: "packages/server/src/store/reading/branch-sql.ts",
      text: "sql`${versions} and t.turns_at <= ${now}`",
      replacement: "sql`${versions} and t.turns_at < ${now}`",
      tests: [
        "packages/server/tests/ioc-search.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "a record is also live at its instant of expiry",
      file: "packages/server/src/store/reading/branch-sql.ts",
      text: "or t.turns_at > ${now})`",
      replacement: "or t.turns_at >= ${now})`",
      tests: [
        "packages/server/tests/ioc-search.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "a deleted record is found after its time, beside live ones",
      file: "packages/server/src/store/filters/filter-to-where.ts",
      text: "return sql`t.purge_at > ${scope.now}`;",
      replacement: "return sql`t.purge_at is not null`;",
      tests: ["packages/server/tests/store-records.test.ts"],
    },
    {
      breaks: "a deleted record is found after its time",
      file: "packages/server/src/store/filters/filter-to-where.ts",
      text: "(t.purge_at is null or t.purge_at > ${scope.now})",
      replacement: "(t.purge_at is null or t.purge_at is not null)",
      tests: ["packages/server/tests/store-records.test.ts"],
    },
  ],
  "sort direction": [
    {
      breaks: "rows with equal keys are in the order of another direction",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: 'sort.at(-1)?.direction ?? "asc"',
      replacement: 'sort.at(0)?.direction ?? "asc"',
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "records without a value of a later key come first",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: '" nulls last"',
      replacement: '" nulls first"',
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "every sort is ascending",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "columns.push(`${from}k${at} ${direction}",
      replacement: 'columns.push(`${from}k${at} ${"asc" satisfies typeof direction}',
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
  ],
  keyset: [
    {
      breaks: "a page by one key starts with the last record again",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "${comparisonOf(direction)} (${last}, ${row})`];",
      replacement: "${comparisonOf(direction)}= (${last}, ${row})`];",
      tests: [
        "packages/server/tests/ioc-search.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "a page by a folded key starts with the last record again",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "${comparisonOf(direction)} ${position}`];",
      replacement: "${comparisonOf(direction)}= ${position}`];",
      tests: [
        "packages/server/tests/ioc-search.test.ts",
        "packages/server/tests/sort-by-name.test.ts",
      ],
    },
    {
      breaks: "a page by several keys omits records with an equal first key",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "sql`${first} ${comparisonOf(direction)}= ${last}`",
      replacement: "sql`${first} ${comparisonOf(direction)} ${last}`",
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "a page without a sort starts with the last record again",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "${comparisonOf(rowDirection(sort))} ${rowBefore(",
      replacement: "${comparisonOf(rowDirection(sort))}= ${rowBefore(",
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "a page goes on against its direction",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: 'sql.raw(direction === "asc" ? ">" : "<")',
      replacement: 'sql.raw(direction === "asc" ? "<" : ">")',
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
    {
      breaks: "a page after a record without a value ends the list",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "if (last === null) return sql`(${key} is null and ${follows(at + 1)})`;",
      replacement: "if (last === null) return sql`(${key} is null and 1 = 0)`;",
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "records of another source with equal keys are repeated",
      file: "packages/server/src/store/reading/page-plan.ts",
      text: "return isBefore === ascending ? Number.MAX_SAFE_INTEGER : -1;",
      replacement: "return isBefore === ascending ? -1 : Number.MAX_SAFE_INTEGER;",
      tests: [
        "packages/server/tests/store-visibility.test.ts",
        "packages/server/tests/store-audience.test.ts",
        "packages/server/tests/ioc-inheritance.test.ts",
      ],
    },
  ],
  "page ends": [
    {
      breaks: "a page that ends with the last record has a cursor",
      file: "packages/server/src/store/reading/page.ts",
      text: "if (end === undefined || collected.length === rows.length) return",
      replacement: "if (end === undefined || collected.length < rows.length) return",
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
    {
      breaks: "a list ends after its first page",
      file: "packages/server/src/store/reading/page.ts",
      text: "const needed = limit + 1 - collected.length;",
      replacement: "const needed = limit - collected.length;",
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
    {
      breaks: "the offset applies to both segments of a page",
      file: "packages/server/src/store/reading/page.ts",
      text: "if (rows.length > 0) skip = 0;",
      replacement: "if (rows.length > limit) skip = 0;",
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/store-records.test.ts",
      ],
    },
    {
      breaks: "records without a value of the sort key are omitted",
      file: "packages/server/src/store/reading/page.ts",
      text: ': ["present", "missing"];',
      replacement: ': ["present"];',
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/ioc-search.test.ts",
      ],
    },
    {
      breaks: "a scan that is too old goes on with missing records",
      file: "packages/server/src/store/reading/page.ts",
      text: "(after.snapshot[at] ?? 0) < swept)",
      replacement: "(after.snapshot[at] ?? 0) < 0 * swept)",
      tests: ["packages/server/tests/store-sweep.test.ts"],
    },
    {
      breaks: "the page at the offset of the last record is empty",
      file: "packages/server/src/store/reading/records.ts",
      text: "if (total <= offset) return",
      replacement: "if (total <= offset + 1) return",
      tests: ["packages/server/tests/ioc-search.test.ts"],
    },
  ],
  idempotency: [
    {
      breaks: "keys are kept for 23 hours",
      file: "packages/server/src/store/requests/keyed-requests.ts",
      text: "const keptMilliseconds = 24 * 60 * 60_000;",
      replacement: "const keptMilliseconds = 23 * 60 * 60_000;",
      tests: ["packages/server/tests/idempotency-keys.test.ts"],
    },
    {
      breaks: "a key is valid at the instant of its expiry",
      file: "packages/server/src/store/requests/keyed-requests.ts",
      text: "expires_at > ${now.toISOString()}",
      replacement: "expires_at >= ${now.toISOString()}",
      tests: ["packages/server/tests/idempotency-keys.test.ts"],
    },
    {
      breaks: "two servers act on one key",
      file: "packages/server/src/store/requests/keyed-requests.ts",
      text: "where keyed_requests.attempt = excluded.attempt\n      or",
      replacement: "where keyed_requests.attempt <> ''\n      or",
      tests: ["packages/server/tests/idempotency-keys.test.ts"],
    },
  ],
  synchronous: [
    {
      breaks: "SQLite never waits for the disk",
      file: "packages/server/src/store/dialects/sqlite-node/open-sqlite.ts",
      text: 'synchronous: durable ? "full" : "off",',
      replacement: 'synchronous: "off",',
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
    {
      breaks: "SQLite always waits for the disk",
      file: "packages/server/src/store/dialects/sqlite-node/open-sqlite.ts",
      text: 'synchronous: durable ? "full" : "off",',
      replacement: 'synchronous: "full",',
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
    {
      breaks: "the log of a file does not reach the disk",
      file: "packages/server/src/store/dialects/sqlite-node/open-sqlite.ts",
      text: "log: isDurable ? new SqliteLog(path) : undefined,",
      replacement: "",
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
    {
      breaks: "a write is acknowledged before its log is on the disk",
      file: "packages/server/src/store/dialects/sqlite/sqlite-database.ts",
      text: "await Promise.all([log?.sync(), besides?.committed()]);",
      replacement: "void log?.sync().catch(() => undefined);\n    await besides?.committed();",
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
    {
      breaks: "writes go on after the disk has failed",
      file: "packages/server/src/store/dialects/sqlite-node/sqlite-log.ts",
      text: "if (this.#failure !== null) throw this.#failure;",
      replacement: "",
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
    {
      breaks: "large writes do not wait for the disk",
      file: "packages/server/src/store/dialects/sqlite-node/open-sqlite.ts",
      text: "pragmas: `${whenBusy}; ${journalWith(synchronous)}; ${writerPragmas}`",
      replacement: 'pragmas: `${whenBusy}; ${journalWith("off")}; ${writerPragmas}`',
      tests: ["packages/server/tests/sqlite-durability.test.ts"],
    },
  ],
  CIDR: [
    {
      breaks: "SQL leaves out a network's last address",
      file: "packages/server/src/store/filters/leaf-shape.ts",
      text: "return range(leaf.low, leaf.high, true);",
      replacement: "return range(leaf.low, leaf.high, false);",
      tests: ["packages/server/tests/identity-sensors.test.ts"],
    },
  ],
  "FQL in SQL": [
    {
      breaks: "a negation omits records without the value",
      file: "packages/server/src/store/filters/filter-to-where.ts",
      text: "return sql`(${whereOf(shape.operand, scope)}) is not true`;",
      replacement: "return sql`not (${whereOf(shape.operand, scope)})`;",
      tests: [
        "packages/server/tests/store-filters.test.ts",
        "packages/server/tests/ioc-search.test.ts",
      ],
    },
    {
      breaks: "a condition on a list holds for records without it",
      file: "packages/server/src/store/filters/filter-to-where.ts",
      text: 'if (shape.kind === "present") return sql`${value} is not null`;',
      replacement: 'if (shape.kind === "present") return sql`${value} is null`;',
      tests: ["packages/server/tests/store-filters.test.ts"],
    },
    {
      breaks: "a timestamp includes the instant after its period",
      file: "packages/server/src/store/filters/leaf-shape.ts",
      text: "return range(leaf.from, leaf.to, false);",
      replacement: "return range(leaf.from, leaf.to, true);",
      tests: ["packages/server/tests/store-records.test.ts"],
    },
  ],
  "brief statements": [
    {
      breaks: "a statement that reads all elements is tried in a turn",
      file: "packages/server/src/store/reading/start-shapes.ts",
      text: "return !startsFromElements && !conditions.some(usesWords);",
      replacement: "return !conditions.some(usesWords);",
      tests: ["packages/server/src/store/reading/ends-in-time.test.ts"],
    },
    {
      breaks: "a statement that searches for words is tried in a turn",
      file: "packages/server/src/store/reading/start-shapes.ts",
      text: "return !startsFromElements && !conditions.some(usesWords);",
      replacement: "return !startsFromElements;",
      tests: ["packages/server/src/store/reading/ends-in-time.test.ts"],
    },
    {
      breaks: "the rows of a statement that was not brief are lost",
      file: "packages/server/src/store/reading/view.ts",
      text: "return rows ?? connection.tuples(statement);",
      replacement: "return rows ?? [];",
      tests: [
        "packages/server/tests/store-plans.test.ts",
        "packages/server/tests/store-large-filters.test.ts",
        "packages/server/tests/store-words-pages.test.ts",
      ],
    },
    {
      breaks: "a brief statement may look at 10,000 rows",
      file: "packages/server/src/store/dialects/sqlite/sqlite-connection.ts",
      text: "{ checks: 100, milliseconds: 5 }",
      replacement: "{ checks: 10_000, milliseconds: 5 }",
      tests: ["packages/server/src/store/dialects/sqlite/brief-statements.test.ts"],
    },
    {
      breaks: "a brief statement may take 5 s",
      file: "packages/server/src/store/dialects/sqlite/sqlite-connection.ts",
      text: "{ checks: 100, milliseconds: 5 }",
      replacement: "{ checks: 100, milliseconds: 5_000 }",
      tests: ["packages/server/src/store/dialects/sqlite/brief-statements.test.ts"],
    },
  ],
  "starts of pages": [
    {
      breaks: "a page follows its order although two conditions together are rare",
      file: "packages/server/src/store/reading/page-starts.ts",
      text: "together.steps < Math.min(steps, alone)",
      replacement: "together.steps < 0",
      tests: ["packages/server/src/store/reading/page-starts.test.ts"],
    },
  ],
  catalogue: [
    {
      breaks: "a server that starts late restores deleted records of the catalogue",
      file: "packages/server/src/store/directory/catalogue-version.ts",
      text: "return row.before;",
      replacement: "return 0;",
      tests: ["packages/server/tests/catalogue.test.ts"],
    },
  ],
};
