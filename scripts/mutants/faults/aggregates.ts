import type { Groups } from "../fault.ts";

export const aggregatesFaults: Groups = {
  "aggregates' bounds": [
    {
      breaks: "a range includes its end",
      file: "packages/server/src/aggregates/within.ts",
      text: 'where.compare(field, "<", to)',
      replacement: 'where.compare(field, "<=", to)',
      tests: ["packages/server/src/aggregates/ranges.test.ts"],
    },
    {
      breaks: "a range excludes its start",
      file: "packages/server/src/aggregates/within.ts",
      text: 'where.compare(field, ">=", from)',
      replacement: 'where.compare(field, ">", from)',
      tests: ["packages/server/src/aggregates/ranges.test.ts"],
    },
    {
      breaks: "min_doc_count is exclusive",
      file: "packages/server/src/aggregates/members.ts",
      text: "count >= minimum && count <= maximum",
      replacement: "count > minimum && count <= maximum",
      tests: [
        "packages/server/src/aggregates/terms.test.ts",
        "packages/server/src/aggregates/ranges.test.ts",
      ],
    },
    {
      breaks: "max_doc_count is exclusive",
      file: "packages/server/src/aggregates/members.ts",
      text: "count >= minimum && count <= maximum",
      replacement: "count >= minimum && count < maximum",
      tests: [
        "packages/server/src/aggregates/terms.test.ts",
        "packages/server/src/aggregates/ranges.test.ts",
      ],
    },
    {
      breaks: "one bucket fewer than the limit is refused",
      file: "packages/server/src/aggregates/limits.ts",
      text: "if (this.#buckets > this.limits.buckets) {",
      replacement: "if (this.#buckets >= this.limits.buckets) {",
      tests: [
        "packages/server/src/aggregates/aggregate.test.ts",
        "packages/server/src/aggregates/date-histogram.test.ts",
        "packages/server/src/aggregates/terms.test.ts",
      ],
    },
    {
      breaks: "one query fewer than the limit is refused",
      file: "packages/server/src/aggregates/limits.ts",
      text: "if (count > this.limits.queries) {",
      replacement: "if (count >= this.limits.queries) {",
      tests: [
        "packages/server/src/aggregates/aggregate.test.ts",
        "packages/server/src/aggregates/terms.test.ts",
      ],
    },
    {
      breaks: "a missing value joins the range that ends with it",
      file: "packages/server/src/aggregates/ranges.ts",
      text: "compareValues(missing, to) < 0",
      replacement: "compareValues(missing, to) <= 0",
      tests: ["packages/server/src/aggregates/ranges.test.ts"],
    },
    {
      breaks: "a missing value does not join the range that starts with it",
      file: "packages/server/src/aggregates/ranges.ts",
      text: "compareValues(missing, from) >= 0",
      replacement: "compareValues(missing, from) > 0",
      tests: ["packages/server/src/aggregates/ranges.test.ts"],
    },
    {
      breaks: "an empty range is refused",
      file: "packages/server/src/aggregates/ranges.ts",
      text: "compareValues(from, to) > 0",
      replacement: "compareValues(from, to) >= 0",
      tests: ["packages/server/src/aggregates/ranges.test.ts"],
    },
    {
      breaks: "a page of terms that ends with the limit is refused",
      file: "packages/server/src/aggregates/terms.ts",
      text: "from + size > most",
      replacement: "from + size >= most",
      tests: ["packages/server/src/aggregates/terms.test.ts"],
    },
    {
      breaks: "a page of terms starts one too early",
      file: "packages/server/src/aggregates/terms.ts",
      text: "slice(from, from + size)",
      replacement: "slice(Math.max(0, from - 1), from + size)",
      tests: ["packages/server/src/aggregates/terms.test.ts"],
    },
    {
      breaks: "a histogram omits its last empty interval",
      file: "packages/server/src/aggregates/date-histogram.ts",
      text: "span.start <= last;",
      replacement: "span.start < last;",
      tests: ["packages/server/src/aggregates/date-histogram.test.ts"],
    },
    {
      breaks: "the 100th percentile is refused",
      file: "packages/server/src/aggregates/percentiles.ts",
      text: "percent >= 0 && percent <= 100",
      replacement: "percent >= 0 && percent < 100",
      tests: ["packages/server/src/aggregates/percentiles.test.ts"],
    },
    {
      breaks: "percentiles count one value too many",
      file: "packages/server/src/aggregates/percentiles.ts",
      text: "(percent / 100) * (ordered.count - 1)",
      replacement: "(percent / 100) * ordered.count",
      tests: ["packages/server/src/aggregates/percentiles.test.ts"],
    },
  ],
};
