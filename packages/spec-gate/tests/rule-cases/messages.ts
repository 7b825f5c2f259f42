import { documentWith, jsonBody, operationWith } from "../../src/testing/documents.ts";
import { text, number, response, links, callback, post, form, type Case } from "./case.ts";

/** Changes of responses, callbacks and bodies. */
export const messagesCases: readonly Case[] = [
  [
    "a header",
    response({ headers: { "X-A": { schema: text } } }),
    response({ headers: { "x-a": { required: true, schema: text } } }),
    ["response-header-became-required response patch"],
    ["response-header-became-optional response major"],
  ],
  [
    "the range of a status",
    operationWith({ responses: { 200: { description: "Fine." } } }),
    operationWith({ responses: { "2XX": { description: "Fine." } } }),
    ["response-status-widened response minor"],
    ["response-status-narrowed response patch"],
  ],
  [
    "the range of a status of a callback",
    callback({ post }),
    callback({ post: { responses: { "2XX": { description: "Fine." } } } }),
    ["response-status-widened request minor"],
    ["response-status-narrowed request major"],
  ],
  [
    "an optional header of a part",
    form({ file: { contentType: "text/csv" } }),
    form({ file: { contentType: "text/csv", headers: { "X-Name": { schema: text } } } }),
    ["part-header-added request minor"],
    ["part-header-removed request major"],
  ],
  [
    "the need of a header of a part",
    form({ file: { headers: { "X-Name": { schema: text } } } }),
    form({ file: { headers: { "X-Name": { schema: text, required: true } } } }),
    ["part-header-became-required request major"],
    ["part-header-became-optional request minor"],
  ],
  [
    "a link",
    links({}),
    links({ self: { operationId: "getThing" } }),
    ["link-added response patch"],
    ["link-removed response patch"],
  ],
  [
    "a link's target",
    links({ self: { operationId: "getThing", parameters: { id: "$response.body#/id" } } }),
    links({ self: { operationId: "getThing", parameters: { id: "$response.body#/name" } } }),
    ["link-changed response patch"],
    ["link-changed response patch"],
  ],
  ...[
    { operationId: "getThing", requestBody: "$response.body#/id" },
    { operationId: "listThings" },
    { operationRef: "#/paths/~1things/get" },
  ].map((link): Case => [
    `the members ${Object.keys(link).join(" and ")} of a link`,
    links({ self: { operationId: "getThing" } }),
    links({ self: link }),
    ["link-changed response patch"],
    ["link-changed response patch"],
  ]),
  [
    "a link's texts",
    links({ self: { operationId: "getThing" } }),
    links({ self: { operationId: "getThing", description: "The thing." } }),
    [],
    [],
  ],

  [
    "a callback",
    operationWith({}),
    callback({ post }),
    ["callback-added response minor"],
    ["callback-removed response major"],
  ],
  [
    "what a callback sends",
    callback({ post: { ...post, requestBody: jsonBody({ type: "object" }) } }),
    callback({
      post: { ...post, requestBody: jsonBody({ type: "object", properties: { a: text } }) },
    }),
    ["property-added response minor"],
    ["property-removed response major"],
  ],
  [
    "what a callback may answer",
    callback({ post }),
    callback({
      post: { responses: { 200: { description: "Fine." }, 204: { description: "Fine." } } },
    }),
    ["success-status-added request minor"],
    ["success-status-removed request major"],
  ],
  [
    "what a webhook sends",
    documentWith({ webhooks: { done: { post: { ...post, requestBody: jsonBody(number) } } } }),
    documentWith({
      webhooks: { done: { post: { ...post, requestBody: jsonBody({ ...number, maximum: 5 }) } } },
    }),
    ["maximum-added response patch"],
    ["maximum-removed response major"],
  ],

  [
    "how a part of a form is written",
    form({ file: { contentType: "image/png" } }),
    form({ file: { contentType: "image/jpeg" } }),
    ["encoding-changed request major"],
    ["encoding-changed request major"],
  ],
  [
    "a range of media types in a request",
    operationWith({ requestBody: { content: { "application/*": {} } } }),
    operationWith({ requestBody: { content: { "application/json": {} } } }),
    ["media-type-specialized request major"],
    ["media-type-generalized request minor"],
  ],
  [
    "the character set of a media type",
    response({ content: { "application/json": {} } }),
    response({ content: { "application/json; charset=utf-8": {} } }),
    ["media-type-name-changed response patch"],
    ["media-type-name-changed response patch"],
  ],
  ["an encoding that says the default", form({}), form({ file: { explode: true } }), [], []],
  [
    "a new part of a form, with its encoding",
    form({}),
    form({ icon: { contentType: "image/png" } }, { file: text, icon: text }),
    ["property-added request minor"],
    ["property-removed request major"],
  ],
];
