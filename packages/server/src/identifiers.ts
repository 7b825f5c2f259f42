import { randomBytes, randomUUID } from "node:crypto";

/** 32 lower-case hex digits, 128 random bits: records, tenants, API clients. */
export const newIdentifier = (): string => randomBytes(16).toString("hex");

/** 64 lower-case hex digits, 256 random bits: indicators. */
export const newLongIdentifier = (): string => randomBytes(32).toString("hex");

/** RFC 9562, version 4: users, invitations, mails. */
export const newUuid = (): string => randomUUID();
