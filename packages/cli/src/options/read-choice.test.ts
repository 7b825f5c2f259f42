import { expect, test } from "vitest";
import { readChoice } from "./read-choice.ts";

const readColour = readChoice(["red", "green"]);

test("reads a choice", () => {
  expect(readColour("green")).toBe("green");
});

test("lists the choices, and suggests the nearest", () => {
  expect(() => readColour("gren")).toThrow("Expected one of red, green. Did you mean green?");
  expect(() => readColour("ultramarine")).toThrow(/^Expected one of red, green\.$/);
});
