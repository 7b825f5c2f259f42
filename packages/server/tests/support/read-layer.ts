import { ociLayout, writeFolder, type TarFile } from "../../../../testing/image.ts";
import { defaultLimits } from "../../src/domain/container/images/limits.ts";
import { readImage } from "../../src/domain/container/images/read-image.ts";
import { temporaryFolder } from "./server-process.ts";

/** Reads an image of one layer with these files. */
export const readLayer = (...files: readonly TarFile[]) =>
  readImage(writeFolder(temporaryFolder(), ociLayout({ layers: [files] })), {
    choice: {},
    limits: defaultLimits,
  });
