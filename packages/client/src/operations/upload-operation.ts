import type { FileOptions } from "../sending/call-options.ts";
import { descriptorOf, type Source } from "../wire/descriptor.ts";
import { preparedOperation, type Operation } from "./operation.ts";

/** An operation whose body is a form with files. The code for them is loaded at the first call. */
export const uploadOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return preparedOperation(descriptor, async (input, options: FileOptions = {}) => {
    const body = input["body"];
    if (body === undefined) return input;
    const { formWithFiles } = await import("./file-transfers.ts");
    return { ...input, body: await formWithFiles(descriptor, body as object, options) };
  });
};
