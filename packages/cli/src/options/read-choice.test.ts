import { expect, test } from "vitest";
import { readChoice } from "./read-choice.ts";

const readColour = readChoice(["red", "green"]);

test("reads a choice", () => {
  expect(readColour("green")).toBe("green");
});

test("names the choices, and the nearest where one is near", () => {
  expect(() => readColour("gren")).toThrow("Expected one of red, green. Did you mean green?");
  expect(() => readColour("ultramarine")).toThrow(/^Expected one of red, green\.$/);
});
