import { randomBytes, randomUUID } from "node:crypto";

/** 32 lower-case hex digits (128 random bits), for records, tenants and API clients. */
export const newIdentifier = (): string => randomBytes(16).toString("hex");

/** 64 lower-case hex digits (256 random bits), for indicators. */
export const newLongIdentifier = (): string => randomBytes(32).toString("hex");

/** A UUID of RFC 9562, version 4, for users, invitations and mails. */
export const newUuid = (): string => randomUUID();
