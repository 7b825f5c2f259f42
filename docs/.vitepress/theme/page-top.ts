import { useData, withBase } from "vitepress";
import { computed, h, type VNode } from "vue";

interface Step {
  readonly text: string;
  readonly link?: string;
}

/** Where the page is within the site, and a button that copies it as Markdown. */
export const pageTop = {
  setup(): () => VNode | null {
    const { page, frontmatter } = useData();
    const path = computed(() => page.value.relativePath);
    const steps = computed(() => stepsTo(path.value, frontmatter.value));
    return () => {
      const parts = [
        ...(steps.value.length === 0 ? [] : [breadcrumb(steps.value)]),
        ...(frontmatter.value["hasMarkdown"] === true ? [markdownButton(path.value)] : []),
      ];
      return parts.length === 0 ? null : h("div", { class: "page-top" }, parts);
    };
  },
};

const breadcrumb = (steps: readonly Step[]): VNode =>
  h("nav", { class: "breadcrumb", "aria-label": "Breadcrumb" }, [
    h(
      "ol",
      steps.map(({ text, link }) =>
        h("li", link === undefined ? text : h("a", { href: withBase(link) }, text)),
      ),
    ),
  ]);

/** The key makes a new button on each page, which has no label of the page before. */
const markdownButton = (path: string): VNode =>
  h(
    "button",
    {
      key: path,
      type: "button",
      class: "copy-button",
      "data-copy-from": withBase(`/${path}`),
    },
    "Copy as Markdown",
  );

/** The steps above a page; none for pages at the top. */
function stepsTo(path: string, { collection, group }: Record<string, unknown>): readonly Step[] {
  const [part, folder = "", file] = path.split("/");
  const guides: Step = { text: "Guides", link: "/guides/quick-start.html" };
  const reference: Step = { text: "Reference", link: "/reference/" };
  if (part === "guides") return [guides, ...(typeof group === "string" ? [{ text: group }] : [])];
  if (part !== "reference" || path === "reference/index.md") return [];
  if (file === undefined || file === "index.md") return [reference];
  const text = folder === "schemas" ? "Schemas" : String(collection);
  return [reference, { text, link: `/reference/${folder}/` }];
}
