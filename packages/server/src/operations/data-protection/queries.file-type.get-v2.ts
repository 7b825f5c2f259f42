import { fileTypes } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesFileTypeGetV2: Handler<"queries.file-type.get-v2"> = (call) =>
  listIds(call, fileTypes);
