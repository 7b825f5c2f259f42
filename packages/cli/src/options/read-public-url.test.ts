import { expect, test } from "vitest";
import { readPublicUrl } from "./read-public-url.ts";

test.each([
  ["https://platform.example", "https://platform.example"],
  ["https://platform.example/", "https://platform.example"],
  ["http://[::1]:8080", "http://[::1]:8080"],
  ["https://host/path", "https://host/path"],
  ["https://HOST/Path/v1.2_~-/", "https://host/Path/v1.2_~-"],
])("reads %s", (text, url) => {
  expect(readPublicUrl(text)).toBe(url);
});

test.each([
  "",
  "platform.example",
  "ftp://host",
  "https://me:secret@host",
  "https://host//path",
  "https://host/path//",
  "https://host/a/../b",
  "https://host/./b",
  "https://host/..",
  "https://host/a?b",
  "https://host/a#b",
  "https://host/a b",
  "https://host/a%2fb",
  "https://host/a\r\nb",
  'https://host/"b',
  "https://host/<b>",
  "https://host\\path",
])("rejects %j", (text) => {
  expect(() => readPublicUrl(text)).toThrow("Expected a URL");
});
