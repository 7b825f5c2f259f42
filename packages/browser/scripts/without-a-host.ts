import type { OperationId } from "@security-platform/spec";

/** What a host has and a page does not, and what a page does instead. The README repeats this table. */
export const missingParts: Readonly<Record<string, string>> = {
  "PostgreSQL, S3, disks": "the database and all files are in memory",
  sockets: "requests come through `fetch` and `client` only",
  "mail and webhooks":
    "they stay in the outbox; `/_control/mails` and `/_control/deliveries` list them",
  "registries and their images": "no request is sent; the state of a registry does not change",
  "files of hosts": "retrievals stay requested",
  "several processors": "one request after the other; large reports delay the requests after it",
  streams: "a body is sent to the worker, and back, only when it is complete",
};

/** The answers of the operations that need one of these parts. Tests call each of them in a page. */
export const limitedOperations: Readonly<Partial<Record<OperationId, string>>> = {
  "entities.get-rtr-file-metadata.post.v1": "503: this server has no connection to hosts",
  "entities.retrieve-rtr-file.post.v1": "the file stays `requested`",
  "entities.retrieve-rtr-recent-file.post.v1": "404: no session has fetched a file",
  CreateRegistryEntities: "the registry stays `pending`, and no images are listed",
  createUserV1: "the user is created, and the mail to it stays in the outbox",
};
