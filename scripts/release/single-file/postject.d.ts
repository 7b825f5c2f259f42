declare module "postject" {
  /** Adds a resource to an executable file, in place. */
  export function inject(
    file: string,
    name: string,
    content: Uint8Array,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}
