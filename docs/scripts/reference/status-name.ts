import { STATUS_CODES } from "node:http";

/** `201 Created`. */
export const statusName = (status: number): string =>
  `${status} ${STATUS_CODES[status] ?? ""}`.trim();
