import { h, type VNode } from "vue";
import file from "../../brand/logo.svg?raw";

/** The shapes of the logo, without the file's own colours. */
const shapes = file.replace(/^[^]*<g>|<\/g>[^]*$/g, "");

/** The logo beside the title, in the colour of the theme. */
export const logo = (): VNode =>
  h("svg", { class: "logo", viewBox: "0 0 32 32", "aria-hidden": true, innerHTML: shapes });
