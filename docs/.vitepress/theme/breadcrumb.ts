import { useData, withBase } from "vitepress";
import { computed, h, type VNode } from "vue";

interface Step {
  readonly text: string;
  readonly link?: string;
}

/** Where the page is within the site. */
export const breadcrumb = {
  setup(): () => VNode | null {
    const { page, frontmatter } = useData();
    const steps = computed(() => stepsTo(page.value.relativePath, frontmatter.value));
    return () =>
      steps.value.length === 0
        ? null
        : h("nav", { class: "breadcrumb", "aria-label": "Breadcrumb" }, [
            h(
              "ol",
              steps.value.map(({ text, link }) =>
                h("li", link === undefined ? text : h("a", { href: withBase(link) }, text)),
              ),
            ),
          ]);
  },
};

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
