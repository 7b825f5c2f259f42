import { expect, test } from "vitest";
import { readOrigin } from "./read-origin.ts";

test.each([
  ["https://platform.example", "https://platform.example"],
  ["https://platform.example/", "https://platform.example"],
  ["http://[::1]:8080", "http://[::1]:8080"],
])("reads %s", (text, origin) => {
  expect(readOrigin(text)).toBe(origin);
});

test.each(["", "platform.example", "ftp://host", "https://host/path", "https://me:secret@host"])(
  "rejects %j",
  (text) => {
    expect(() => readOrigin(text)).toThrow("Expected a URL");
  },
);
