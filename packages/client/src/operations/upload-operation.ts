import { descriptorOf, type Descriptor, type Source } from "../wire/descriptor.ts";
import { scalar } from "../wire/encode.ts";
import { preparedOperation, type Operation } from "./operation.ts";

/** An operation whose body is a form with files. */
export const uploadOperation = <Bound>(...source: Source): Operation<Bound> => {
  const descriptor = descriptorOf(...source);
  return preparedOperation(descriptor, (input) => {
    const body = input["body"];
    if (body === undefined || body instanceof FormData) return input;
    return { ...input, body: encodeParts(descriptor, body as object) };
  });
};

/** Files come last, because a server may need the other parts before them. */
function encodeParts(descriptor: Descriptor, fields: object): FormData {
  const form = new FormData();
  const parts = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of parts) {
    if (!(value instanceof Blob)) form.append(name, String(scalar(descriptor, name, value)));
  }
  for (const [name, value] of parts) if (value instanceof Blob) form.append(name, value);
  return form;
}
