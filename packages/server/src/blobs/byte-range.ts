/** A range of bytes, first and last included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
