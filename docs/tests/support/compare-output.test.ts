import { describe, expect, test } from "vitest";
import { outputDifference } from "./compare-output.ts";
import { Correspondence } from "./compare-text.ts";

const id = (digit: string): string => digit.repeat(32);

function compare(language: string, expected: string, printed: string, sent = ""): string | null {
  const block = { language, title: undefined, flags: [], text: expected, line: 1 };
  return outputDifference(block, printed, new Correspondence(sent));
}

describe("JSON", () => {
  test("is compared by value, in any layout", () => {
    expect(
      compare("json", '{ "a": 1,\n "b": [true, null] }', '{"b":[true,null],"a":1}'),
    ).toBeNull();
    expect(compare("json", '{"a": 1}', '{"a": 2}')).toBe("a: expected 1, got 2");
    expect(compare("json", '{"a": 1}', '{"a": 1, "b": 2}')).toContain("unexpected b");
    expect(compare("json", '{"a": 1, "b": 2}', '{"a": 1}')).toBe("b: missing");
    expect(compare("json", "[1]", "[1, 2]")).toContain("expected 1 entries, got 2");
    expect(compare("json", "[1]", "no")).toContain("but the output was: no");
  });

  test("may omit members and entries at marked places", () => {
    expect(compare("json", '{\n  "a": 1,\n  …\n}', '{"a": 1, "b": 2}')).toBeNull();
    expect(compare("json", "[1, …]", "[1, 2, 3]")).toBeNull();
    expect(compare("json", '[\n  { "a": 1 },\n  …\n]', '[{"a": 1}, {}]')).toBeNull();
    expect(compare("json", '{ … "a": 1 }', '{"a": 2, "b": 2}')).toBe("a: expected 1, got 2");
    expect(compare("json", '{"a": "x…"}', '{"a": "xyz"}')).toBeNull();
    expect(compare("json", '{"a": "x…"}', '{"a": "yz"}')).toContain("a: expected");
  });

  test("accepts other ids for the ones on the page, each for one", () => {
    const expected = JSON.stringify([id("a"), id("b"), id("a")]);
    expect(compare("json", expected, JSON.stringify([id("1"), id("2"), id("1")]))).toBeNull();
    expect(compare("json", expected, JSON.stringify([id("1"), id("2"), id("3")]))).toContain("[2]");
    expect(compare("json", expected, JSON.stringify([id("1"), id("1"), id("1")]))).toContain("[1]");
    expect(compare("json", expected, JSON.stringify([id("1"), "2", id("1")]))).toContain("[1]");
  });

  test("requires the values that the page itself sent", () => {
    const expected = JSON.stringify([id("a"), "2030-01-01T00:00:00Z"]);
    const real = JSON.stringify([id("b"), "2031-01-01T00:00:00Z"]);
    expect(compare("json", expected, real)).toBeNull();
    expect(compare("json", expected, real, id("a"))).toContain("[0]");
    expect(compare("json", expected, real, "2030-01-01T00:00:00Z")).toContain("[1]");
  });
});

describe("text", () => {
  test("is compared line by line", () => {
    expect(compare("text", "a\nb", "a\nb\n")).toBeNull();
    expect(compare("text", "a\nb", "a\nc")).toBe("shown:   b\nprinted: c");
    expect(compare("text", "a", "a\nb")).toBe("unexpected output: b");
    expect(compare("text", "a\nb", "a")).toBe("missing output: b");
    expect(compare("text", "a\n…\nd", "a\nb\nc\nd")).toBeNull();
    expect(compare("text", "a\n…", "a\nb")).toBeNull();
  });
});

describe("an HTTP message", () => {
  const printed =
    'HTTP/1.1 200 OK\r\nx-total-count: 3\r\ncontent-type: application/json\r\n\r\n{"a":1}';
  test("is compared by status, headers on the page, and body", () => {
    expect(compare("http", 'HTTP/1.1 200 OK\nX-Total-Count: 3\n\n{ "a": 1 }', printed)).toBeNull();
    expect(compare("http", "HTTP/1.1 200 OK\nX-Total-Count: 3", printed)).toBeNull();
    expect(compare("http", "HTTP/1.1 201 Created", printed)).toContain("got HTTP/1.1 200 OK");
    expect(compare("http", "HTTP/1.1 200 OK\nX-Total-Count: 4", printed)).toContain("got 3");
    expect(compare("http", "HTTP/1.1 200 OK\nLink: x", printed)).toContain("missing header: link");
    expect(compare("http", 'HTTP/1.1 200 OK\n\n{ "a": 2 }', printed)).toBe("a: expected 2, got 1");
  });
});
