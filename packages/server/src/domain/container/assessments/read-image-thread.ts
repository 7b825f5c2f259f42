import { schemaValidator } from "../../../validation/schema-validator.ts";
import { answerCallsInTurn } from "../../../threads/answer-calls.ts";
import { inventoryOf, type InventoryOptions, type ScanInventory } from "../images/inventory.ts";
import { ImageError, type Limits } from "../images/limits.ts";
import { readImage } from "../images/read-image.ts";

export interface ReadRequest {
  /** An OCI layout with one image. */
  readonly folder: string;
  readonly limits: Limits;
  readonly inventory: InventoryOptions;
}

/** `refused`: why the image cannot be scanned. */
export type ReadReply = { readonly inventory: ScanInventory } | { readonly refused: string };

const problemsOf = schemaValidator({ $ref: "#/components/schemas/ScanInventory" }, "inventory");

/** Reads an image as the command `scan` does, and checks its inventory as the server checks a request. */
answerCallsInTurn(
  async ({ folder, limits, inventory: options }: ReadRequest): Promise<ReadReply> => {
    try {
      const inventory = inventoryOf(await readImage(folder, { choice: {}, limits }), options);
      const [problem] = problemsOf(inventory);
      return problem === undefined
        ? { inventory }
        : { refused: `its inventory is not valid: ${problem.at}: ${problem.message}` };
    } catch (error) {
      if (error instanceof ImageError) return { refused: error.message };
      throw error;
    }
  },
);
