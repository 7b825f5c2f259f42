/**
 * The examples of the document were not written for the demo server. They may refer to records and tenants
 * that do not exist there, or create records that already exist; the errors then say so. Any other error
 * response is a failure.
 */
export const isAboutRecords = (
  status: number,
  errors: readonly { readonly code: number; readonly id?: string }[],
): boolean =>
  [400, 403, 404, 409].includes(status) &&
  errors.length > 0 &&
  errors.every(({ code, id }) => code === status && id !== undefined);
