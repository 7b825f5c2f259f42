import { expect, test } from "vitest";
import { platformContract } from "../contract.ts";
import type { Answer } from "../target/answer.ts";
import { likeness } from "./likeness.ts";

const [operation] = platformContract().operations;

const answer = (status: number, text: string, headers: Answer["headers"] = {}): Answer => {
  if (operation === undefined) throw new Error("no operation");
  const url = "/?ids=aaaaaaaa&ids=bbbbbbbb&name=ct000001-thing&name=ct000002-thing";
  const request = { method: "GET", url, headers: {} };
  const json = undefined;
  return {
    operation,
    request,
    status,
    headers,
    text,
    json,
    content: json,
    findings: [],
    notImplemented: false,
  };
};

const real = {
  namespace: "ct000001",
  records: [{ id: "aaaaaaaa", deep: { name: "ct000001-thing" } }],
};
const phantom = {
  namespace: "ct000002",
  records: [{ id: "bbbbbbbb", deep: { name: "ct000002-thing" } }],
};

const body = (id: string, trace: string): string =>
  `{"meta":{"query_time":0.${trace.length},"trace_id":"${trace}"},"errors":[{"id":"${id}","message":"${id} not found at 2026-01-01T00:00:00Z"}]}`;

test("responses about different records are alike if nothing else differs", () => {
  const one = answer(404, body("aaaaaaaa", "x"), {
    date: "now",
    "x-trace-id": "x",
    link: "<ct000001>",
  });
  const two = answer(404, body("bbbbbbbb", "yy"), {
    date: "then",
    "x-trace-id": "yy",
    link: "<ct000002>",
  });
  expect(likeness(one, real)).toBe(likeness(two, phantom));
});

test("only the presence of an undocumented header is compared", () => {
  const one = answer(404, body("aaaaaaaa", "x"), { "x-gateway": "1" });
  const two = answer(404, body("bbbbbbbb", "y"), { "x-gateway": "2" });
  expect(likeness(one, real)).toBe(likeness(two, phantom));
});

test.each([
  ["status", answer(403, body("aaaaaaaa", "x"))],
  ["message", answer(404, body("aaaaaaaa", "x").replace("not found", "forbidden"))],
  ["header", answer(404, body("aaaaaaaa", "x"), { "x-more": "1" })],
])("another %s makes the responses differ", (_what, one) => {
  expect(likeness(one, real)).not.toBe(likeness(answer(404, body("bbbbbbbb", "y")), phantom));
});
