import type { Groups } from "../fault.ts";

export const clientFaults: Groups = {
  "client's last page": [
    {
      breaks: "a last page with one entry is not requested",
      file: "packages/client/src/operations/paging.ts",
      text: ": position >= page.total)",
      replacement: ": position + 1 >= page.total)",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "a page after the last one is requested",
      file: "packages/client/src/operations/paging.ts",
      text: ": position >= page.total)",
      replacement: ": position > page.total)",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "a list without a total ends after a full page",
      file: "packages/client/src/operations/paging.ts",
      text: "data.length < (page.limit ?? 1)",
      replacement: "data.length <= (page.limit ?? 1)",
      tests: [
        "packages/client/src/operations/lists.test.ts",
        "packages/client/src/operations/long-lists.test.ts",
        "packages/client/src/wire/page.test.ts",
      ],
    },
    {
      breaks: "an empty page does not end a list",
      file: "packages/client/src/operations/paging.ts",
      text: "data.length === 0 ||",
      replacement: "data.length < 0 ||",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "the page before the end of the window is too long",
      file: "packages/client/src/operations/paging.ts",
      text: "Number(limit ?? 0) > room ? room : limit",
      replacement: "Number(limit ?? 0) > room ? limit : limit",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "a list goes on beyond the window",
      file: "packages/client/src/operations/paging.ts",
      text: "if (room <= 0 && !isOwn) {",
      replacement: "if (room < 0 && !isOwn) {",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "the next page starts at the second entry",
      file: "packages/client/src/operations/paging.ts",
      text: "position += data.length;",
      replacement: "position += Math.max(1, data.length - 1);",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
    {
      breaks: "an array has one entry too many",
      file: "packages/client/src/operations/list-call.ts",
      text: "data.slice(0, limit - collected.length)",
      replacement: "data.slice(0, limit - collected.length + 1)",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
  ],
  retries: [
    {
      breaks: "a 429 is not sent again",
      file: "packages/client/src/sending/retries.ts",
      text: "status === 429 ||",
      replacement: "status === 428 ||",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a request that may act twice is sent again after a 500",
      file: "packages/client/src/sending/retries.ts",
      text: "(isRepeatable && [408, 500, 502, 503, 504].includes(status))",
      replacement: "[408, 500, 502, 503, 504].includes(status)",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a 503 without a time to wait is sent again",
      file: "packages/client/src/sending/retries.ts",
      text: "(retryAfterSeconds !== undefined && [409, 503].includes(status))",
      replacement: "[409, 503].includes(status)",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a 504 is not sent again",
      file: "packages/client/src/sending/retries.ts",
      text: "[408, 500, 502, 503, 504]",
      replacement: "[408, 500, 502, 503]",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "pauses grow without limit",
      file: "packages/client/src/sending/retries.ts",
      text: "random() * Math.min(maximumMilliseconds, baseMilliseconds",
      replacement: "random() * Math.max(baseMilliseconds, baseMilliseconds",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "the first pause is twice as long",
      file: "packages/client/src/sending/retries.ts",
      text: "baseMilliseconds * 2 ** (attempt - 1)",
      replacement: "baseMilliseconds * 2 ** attempt",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a call that changes records has no key",
      file: "packages/client/src/sending/retries.ts",
      text: "idempotencyKey ??\n  (keyed && idempotencyKeys ?",
      replacement: "idempotencyKey ??\n  (!keyed && idempotencyKeys ?",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a 507 counts as a change",
      file: "packages/client/src/sending/retries.ts",
      text: "status !== 507 &&",
      replacement: "status !== 508 &&",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "one retry too many is made",
      file: "packages/client/src/sending/retry-policy.ts",
      text: "call.retried >= retries",
      replacement: "call.retried > retries",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a request is sent again after the time for retries",
      file: "packages/client/src/sending/retry-policy.ts",
      text: "return call.elapsed() + waitMilliseconds < withinMilliseconds",
      replacement: "return withinMilliseconds >= 0",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "the time that a server asks for is ignored",
      file: "packages/client/src/sending/retry-policy.ts",
      text: "Math.max(leastMilliseconds, backOff(call.retried, parts.random))",
      replacement: "backOff(call.retried, parts.random)",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
      ],
    },
    {
      breaks: "a rejected token is not renewed",
      file: "packages/client/src/sending/exchange.ts",
      text: "!isRenewed &&",
      replacement: "isRenewed &&",
      tests: [
        "packages/client/src/sending/retries.test.ts",
        "packages/client/src/sending/exchange.test.ts",
        "packages/client/src/sending/client-token.test.ts",
      ],
    },
  ],
  "rate limits": [
    {
      breaks: "the client never ends to space its requests",
      file: "packages/client/src/sending/limits.ts",
      text: "remaining < limit * reserve ? minute / limit : 0",
      replacement: "remaining < limit * reserve ? minute / limit : this.#interval",
      tests: ["packages/client/src/sending/retries.test.ts"],
    },
  ],
  expiry: [
    {
      breaks: "an expired token is sent",
      file: "packages/client/src/sending/token-source.ts",
      text: "now >= current.expiresAt) return",
      replacement: "now > current.expiresAt) return",
      tests: [
        "packages/client/src/sending/token-source.test.ts",
        "packages/client/src/sending/client-token.test.ts",
      ],
    },
    {
      breaks: "a token is renewed only after it has expired",
      file: "packages/client/src/sending/token-source.ts",
      text: "expiresAt - Math.min(marginMilliseconds, life / 10)",
      replacement: "expiresAt",
      tests: [
        "packages/client/src/sending/token-source.test.ts",
        "packages/client/src/sending/client-token.test.ts",
      ],
    },
    {
      breaks: "each caller requests a token of its own",
      file: "packages/client/src/sending/token-source.ts",
      text: "this.#pending ??= this.#requestToken()",
      replacement: "this.#pending = this.#requestToken()",
      tests: [
        "packages/client/src/sending/token-source.test.ts",
        "packages/client/src/sending/client-token.test.ts",
      ],
    },
    {
      breaks: "a slow response extends the life of a token",
      file: "packages/client/src/sending/token-source.ts",
      text: "const expiresAt = requestedAt + life;",
      replacement: "const expiresAt = this.#clock.now().getTime() + life;",
      tests: [
        "packages/client/src/sending/token-source.test.ts",
        "packages/client/src/sending/client-token.test.ts",
      ],
    },
  ],
  batches: [
    {
      breaks: "the last batch is not sent",
      file: "packages/client/src/operations/send-batches.ts",
      text: "if (group.length > 0) yield",
      replacement: "if (group.length > 1) yield",
      tests: ["packages/client/src/operations/batch-operation.test.ts"],
    },
    {
      breaks: "a batch has one entry too many",
      file: "packages/client/src/operations/send-batches.ts",
      text: "if (group.length < size) continue;",
      replacement: "if (group.length <= size) continue;",
      tests: ["packages/client/src/operations/batch-operation.test.ts"],
    },
    {
      breaks: "batches without a key all send the same one in each run",
      file: "packages/client/src/operations/send-batches.ts",
      text: "key === undefined ? callOptions :",
      replacement: "key === null ? callOptions :",
      tests: ["packages/client/src/operations/batch-operation.test.ts"],
    },
    {
      breaks: "the groups of a long deletion lack the options of the call",
      file: "packages/client/src/operations/long-lists.ts",
      text: "    ...options,\n    input,",
      replacement: "    input,",
      tests: ["packages/client/src/operations/long-lists.test.ts"],
    },
    {
      breaks: "the first entry after `from` is skipped",
      file: "packages/client/src/operations/send-batches.ts",
      text: "if (index++ < from) continue;",
      replacement: "if (index++ <= from) continue;",
      tests: ["packages/client/src/operations/batch-operation.test.ts"],
    },
    {
      breaks: "an id that is repeated is requested twice",
      file: "packages/client/src/operations/get-in-groups.ts",
      text: "inGroups([...new Set(ids)], list[1])",
      replacement: "inGroups([...ids], list[1])",
      tests: ["packages/client/src/operations/lists.test.ts"],
    },
  ],
  waiting: [
    {
      breaks: "work that failed is waited for",
      file: "packages/client/src/operations/wait.ts",
      text: "if (rule.failed.includes(state)) {",
      replacement: "if (rule.failed.length < 0) {",
      tests: ["packages/client/src/operations/waiter.test.ts"],
    },
    {
      breaks: "pauses do not grow",
      file: "packages/client/src/operations/wait.ts",
      text: "Math.min(pause * 1.5, longestPause)",
      replacement: "Math.min(pause, longestPause)",
      tests: ["packages/client/src/operations/waiter.test.ts"],
    },
    {
      breaks: "fractions of seconds are cut",
      file: "packages/client/src/wire/retry-after.ts",
      text: "return Math.ceil(Number(retryAfter));",
      replacement: "return Math.floor(Number(retryAfter));",
      tests: ["packages/client/src/wire/refusal.test.ts"],
    },
  ],
};
