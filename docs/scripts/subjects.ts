import type { Operation } from "@security-platform/spec";
import type { Collection } from "./reference/index-pages.ts";
import { joinBlocks, prose } from "./reference/markdown.ts";
import { groupsOf } from "./reference/operation-order.ts";
import { collectionLink, operationLink } from "./reference/places.ts";
import type { Guide } from "./sidebar.ts";

/** Which guide is about which operations: a guide names the beginnings of their paths. */
export class Subjects {
  readonly #guides: readonly Guide[];
  readonly #collections: readonly Collection[];

  /** Throws for a subject that no operation has, and for an operation without a guide. */
  constructor(guides: readonly Guide[], collections: readonly Collection[]) {
    this.#guides = guides.filter(({ subjects }) => subjects.length > 0);
    this.#collections = collections;
    const operations = collections.flatMap((collection) => collection.operations);
    for (const { name, subjects } of this.#guides) {
      const unused = subjects.find((subject) => !operations.some((each) => isAbout(subject, each)));
      if (unused !== undefined) throw new Error(`guides/${name}.md: no path starts with ${unused}`);
    }
    for (const operation of operations) {
      if (this.guidesAbout(operation).length > 0) continue;
      throw new Error(`no guide has the path ${operation.path} among its subjects`);
    }
  }

  guidesAbout(operation: Operation): readonly Guide[] {
    return this.#guides.filter(({ subjects }) =>
      subjects.some((subject) => isAbout(subject, operation)),
    );
  }

  guidesOf(collection: Collection): readonly Guide[] {
    return this.#guides.filter((guide) =>
      collection.operations.some((operation) => this.guidesAbout(operation).includes(guide)),
    );
  }

  /** The last section of a guide: its operations by collection and kind of record. Empty without subjects. */
  operationsSection(guide: Guide): string {
    const parts = this.#collections.flatMap((collection) => {
      const operations = collection.operations.filter((operation) =>
        this.guidesAbout(operation).some(({ name }) => name === guide.name),
      );
      return operations.length === 0 ? [] : [{ collection, groups: groupsOf(operations) }];
    });
    if (parts.length === 0) return "";
    return joinBlocks([
      "## Operations {#operations-of-this-guide}",
      ...parts.flatMap(({ collection, groups }) => [
        `Collection [${prose(collection.tag)}](${collectionLink(collection.name)}):`,
        groups
          .map(({ title, operations }) => `- ${prose(title)}: ${operations.map(linkTo).join(", ")}`)
          .join("\n"),
      ]),
    ]);
  }
}

const isAbout = (subject: string, { path }: Operation): boolean => path.startsWith(subject);

const linkTo = ({ id, summary }: Operation): string => `[${prose(summary)}](${operationLink(id)})`;

/** Links to guides, as Markdown. */
export const guideLinks = (guides: readonly Guide[]): string =>
  guides.map(({ name, title }) => `[${title}](/guides/${name})`).join(", ");
