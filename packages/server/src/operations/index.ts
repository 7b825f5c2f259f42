import type { OperationHandlers } from "../http/handler.ts";
import { iocHandlers } from "./ioc/index.ts";
import { oauth2Handlers } from "./oauth2/index.ts";

export const operationHandlers: OperationHandlers = { ...oauth2Handlers, ...iocHandlers };
