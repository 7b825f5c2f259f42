import { fileTypes } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesFileTypeGet: Handler<"entities.file-type.get"> = (call) =>
  getById(call, fileTypes);
