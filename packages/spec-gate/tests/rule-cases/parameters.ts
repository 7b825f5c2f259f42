import { documentWith, operationWith } from "../../src/testing/documents.ts";
import { text, query, post, number, list, type Case } from "./case.ts";

/** Changes of parameters. */
export const parametersCases: readonly Case[] = [
  [
    "an empty value",
    query(text, { allowEmptyValue: true }),
    query(text),
    ["empty-value-forbidden request major"],
    ["empty-value-allowed request minor"],
  ],
  [
    "how a list is written",
    query(list),
    query(list, { explode: false }),
    ["parameter-serialization-changed request major"],
    ["parameter-serialization-changed request major"],
  ],
  ["how a single value is written", query(text), query(text, { explode: false }), [], []],
  [
    "a value that may be repeated",
    query({ enum: ["a", "b"], default: "a" }),
    query({ type: "array", items: { enum: ["a", "b", "c"] }, default: ["a"] }),
    ["type-widened request minor"],
    ["type-narrowed request major"],
  ],
  [
    "a value that may be repeated, but not every one",
    query({ enum: ["a", "b"] }),
    query({ type: "array", items: { enum: ["a"] } }),
    ["type-changed request major"],
    ["type-changed request major"],
  ],
  [
    "a value that may be a list in one text",
    query(text, { explode: false }),
    query(list, { explode: false }),
    ["type-changed request major"],
    ["type-changed request major"],
  ],
  [
    "reserved characters",
    query(text, { allowReserved: true }),
    query(text),
    ["parameter-serialization-changed request major"],
    [],
  ],
  [
    "a required parameter",
    operationWith({}),
    query(text, { required: true }),
    ["required-parameter-added request major"],
    ["parameter-removed request major"],
  ],
  [
    "whether a parameter is required",
    query(text),
    query(text, { required: true }),
    ["parameter-became-required request major"],
    ["parameter-became-optional request minor"],
  ],
  [
    "a maximum that excludes its value",
    query({ ...number, maximum: 10 }),
    query({ ...number, exclusiveMaximum: 10 }),
    ["maximum-lowered request major"],
    ["maximum-raised request minor"],
  ],
  [
    "a minimum that excludes its value",
    query({ ...number, minimum: 10 }),
    query({ ...number, exclusiveMinimum: 10 }),
    ["minimum-raised request major"],
    ["minimum-lowered request minor"],
  ],
  [
    "a parameter that has an announced end and is not deprecated",
    query(text, { "x-sunset": "2020-01-01" }),
    operationWith({}),
    ["parameter-removed request major"],
    ["parameter-added request minor"],
  ],
  [
    "the name of a path parameter",
    documentWith({ paths: { "/{a}": { get: post } } }),
    documentWith({
      paths: {
        "/{b}": { get: { ...post, parameters: [{ name: "b", in: "path", required: true }] } },
      },
    }),
    [],
    [],
  ],
];
