/** The part of Bruno's schema that the test uses; the package has no types. */
declare module "@usebruno/schema" {
  export const collectionSchema: {
    validate(
      collection: unknown,
      options?: { readonly strict?: boolean; readonly abortEarly?: boolean },
    ): Promise<unknown>;
  };
}
