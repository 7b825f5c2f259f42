/** Whether the caller has the content with this entity tag (RFC 9110 §13.1.2). The comparison is weak. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()));
