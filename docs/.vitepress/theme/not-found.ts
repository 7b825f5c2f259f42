import { withBase } from "vitepress";
import { h, type VNode } from "vue";

/** What a reader sees instead of a page that does not exist. */
export const notFound = (): VNode =>
  h("main", { class: "not-found vp-doc" }, [
    h("h1", "This page does not exist"),
    h("p", "The URL may be misspelt, or the page may have moved."),
    h("p", [
      "Search for it, or go to the ",
      h("a", { href: withBase("/") }, "home page"),
      " or the ",
      h("a", { href: withBase("/reference/") }, "reference"),
      ".",
    ]),
  ]);
