import type { JsonObject } from "../../requests/request.ts";
import { identifier, sha256Of } from "../identifiers.ts";
import { ownerId } from "../owner.ts";
import {
  idsOf,
  recordsIn,
  type CollectionRecipe,
  type OperationRecipe,
  type Subject,
} from "../recipe.ts";
import { newCase, phantomId } from "./cases.ts";

const firstOf = ({ records: [record = {}] }: Subject): JsonObject => record;

const inCase = ownerId("cases");
const content = "process,parent\nviewer.exe,outlook.exe\n";

const phantomFile = (namespace: string, number: number): JsonObject => ({
  id: identifier("file", namespace, number),
  case_id: phantomId(namespace, number),
  name: "file.txt",
  description: `${namespace} ${number}`,
  hash_value: sha256Of("content", namespace, number),
});

/** A file on a host, in a request of the case that has the id. */
const onHost = (subject: Subject, members: JsonObject): JsonObject => {
  const { aid, file_path } = firstOf(subject);
  return { ...members, aid, file_path };
};

export const fileResources: CollectionRecipe["resources"] = {
  "case-files": {
    idField: "id",
    hidden: { known: "hidden-case-files", kind: "case-files" },
    phantom: phantomFile,
    lifecycle: {
      create: "entities.files_upload.post.v1",
      input: (namespace, index) => ({ description: `${namespace} ${index}` }),
      createRequest: ([input]) => ({
        body: { case_id: inCase, ...input, file: `${String(input?.["description"])}\n${content}` },
      }),
      atOnce: 1,
      filter: (namespace) => `description:*'${namespace} *'`,
      get: "entities.file-details.get.v1",
      remove: "entities.files.delete.v1",
      change: {
        operation: "entities.file-details.patch.v1",
        request: ([record]) => ({ body: { id: record?.["id"], description: "changed" } }),
        changed: { description: "changed" },
      },
    },
  },
  // Files of hidden cases.
  "hidden-case-files": { idField: "id", phantom: phantomFile, lifecycle: null },
  // Files without content: their host has no such file, or does not respond.
  "requested-files": {
    idField: "id",
    phantom: phantomFile,
    lifecycle: null,
    find: async ({ namespace, create, read, write }) => {
      const [host] = recordsIn(
        await read("queryCombinedPreventionPolicyMembers", { query: { limit: "1" } }),
      );
      if (host === undefined) return [];
      const [owner] = await create("cases", [newCase(namespace, 0)]);
      const file_path = `/contract-tests/${namespace}`;
      return write("entities.retrieve-rtr-file.post.v1", {
        body: { case_id: owner?.["id"], aid: host["device_id"], file_path },
      });
    },
  },
  "host-files": {
    idField: "aid",
    phantom: (namespace, number) => ({
      aid: identifier("host", namespace, number),
      file_path: `/${namespace}/${number}.txt`,
    }),
    lifecycle: null,
  },
  "fetched-files": {
    idField: "sha256",
    phantom: (namespace, number) => ({
      session_id: `${namespace}-${number}`,
      sha256: sha256Of("fetched", namespace, number),
    }),
    lifecycle: null,
  },
};

/** Signatures and expiries differ each time. */
const restless = ["link"];

const linkOf = (subject: Subject) => ({ query: { id: String(firstOf(subject)["id"]) } });
const linksOf = (subject: Subject) => ({ body: { ids: idsOf(subject) } });

const links: OperationRecipe = {
  resource: "case-files",
  effect: "none",
  otherForm: true,
  restless,
  request: linksOf,
  answers: { 409: linksOf },
  answersAbout: { 409: "requested-files" },
};

const mergedCase = (subject: Subject): JsonObject => ({ case_id: firstOf(subject)["id"] });

export const fileOperations: CollectionRecipe["operations"] = {
  "aggregates.file-details.post.v1": { resource: "case-files", effect: "none" },
  "combined.file-details.get.v1": { resource: "case-files", effect: "none" },
  "queries.file-details.get.v1": { resource: "case-files", effect: "none" },
  "entities.file-details.get.v1": { resource: "case-files", effect: "none" },
  "entities.file-details.patch.v1": { resource: "case-files", effect: "change", single: true },
  "entities.files.delete.v1": { resource: "case-files", effect: "remove" },
  "entities.files_upload.post.v1": {
    resource: "case-files",
    effect: "create",
    answers: {
      404: ({ namespace }) => ({ body: { case_id: phantomId(namespace, 0), file: content } }),
      409: (subject) => ({ body: { ...mergedCase(subject), file: content } }),
    },
    answersAbout: { 409: "merged-cases" },
  },
  "entities.files_download.get.v1": {
    ...links,
    single: true,
    request: linkOf,
    answers: { 409: linkOf },
  },
  "entities.files_download.post.v1": links,
  "entities.files_bulk-download.post.v1": links,
  "entities.get-rtr-file-metadata.post.v1": {
    resource: "host-files",
    effect: "none",
    single: true,
    otherForm: true,
    request: (subject) => ({ body: onHost(subject, {}) }),
  },
  "entities.retrieve-rtr-file.post.v1": {
    resource: "host-files",
    effect: "change",
    single: true,
    otherForm: true,
    restless: ["id", "uploaded_on"],
    request: (subject) => ({ body: onHost(subject, { case_id: inCase }) }),
    answers: {
      409: (subject) => ({
        body: { ...mergedCase(subject), aid: "0".repeat(32), file_path: "/contract-tests" },
      }),
    },
    answersAbout: { 409: "merged-cases" },
  },
  "entities.retrieve-rtr-recent-file.post.v1": {
    resource: "fetched-files",
    effect: "change",
    single: true,
    otherForm: true,
    restless: ["id", "uploaded_on"],
    request: (subject) => {
      const { session_id, sha256 } = firstOf(subject);
      return { body: { case_id: inCase, session_id, sha256 } };
    },
    answers: {
      409: (subject) => ({
        body: { ...mergedCase(subject), session_id: "contract", sha256: "0".repeat(64) },
      }),
    },
    answersAbout: { 409: "merged-cases" },
  },
};
