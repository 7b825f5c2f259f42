import type { Readable } from "node:stream";
import type { ByteRange } from "../blobs/byte-range.ts";
import type { RecordText } from "../store/index.ts";

/** Page data of an answer, sent in headers or in `meta.pagination` of the Envelope. */
export interface PageData {
  readonly limit: number;
  readonly offset?: number;
  readonly total?: number;
  /** Cursor of the next page; absent on the last one. */
  readonly after?: string;
  /** The time until which the next page can be requested with the cursor; only with `after`. */
  readonly expires?: Date;
  /** The next page by offset; absent on the last one. */
  readonly nextOffset?: number | string;
  /** The limit of the next page by offset, if it differs from that of this page. */
  readonly nextLimit?: number;
}

export interface FileContent {
  /** Suggested file name for the caller; any text. */
  readonly name: string;
  /** One of the media types that the document declares for the operation. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Entity tag, which differs for different content. A client needs it to resume a broken download. */
  readonly tag?: string;
  /**
   * Opens the bytes. `range` is passed only if the operation supports ranges. Called once, never for HEAD.
   */
  open(range?: ByteRange): Readable | Promise<Readable>;
}

/** An item of the request that was left out, by its position in the list. */
export interface SkippedItem {
  readonly index: number;
  /** The place and the reason: `body.indicators[1]: domain bad.example already exists as …`. */
  readonly message: string;
  readonly id?: string;
}

/** What a handler returns; http/responses/represent.ts turns it into a response. */
export type Answer =
  | {
      readonly kind: "records";
      readonly records: readonly RecordText[];
      readonly page?: PageData;
      /** The skipped items, in the order of the request. */
      readonly skipped?: readonly SkippedItem[];
      /** The number of changed records, of which `records` may be the first ones. */
      readonly affected?: number;
    }
  | {
      readonly kind: "ids";
      readonly ids: readonly string[];
      readonly page?: PageData;
      readonly affected?: number;
    }
  /** `withMeta`: the operation's object carries the Envelope's `meta` itself. */
  | { readonly kind: "object"; readonly object: object; readonly withMeta?: true }
  /** An object that is too large for one turn of the event loop, as JSON text in UTF-8. */
  | {
      readonly kind: "large-object";
      /** The length of the text. */
      readonly bytes: number;
      /** Called once. */
      open(): Readable | Promise<Readable>;
    }
  /** `resources`: for operations whose Envelope has this member. */
  | { readonly kind: "envelope"; readonly affected?: number; readonly resources?: object }
  | { readonly kind: "file"; readonly file: FileContent }
  /** Headers without a body; names in lower case. */
  | { readonly kind: "none"; readonly headers: Readonly<Record<string, string>> };
