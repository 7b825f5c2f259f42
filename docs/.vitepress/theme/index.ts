/// <reference types="vitepress/client" />
import Theme from "vitepress/theme-without-fonts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import "./style.css";

/** The default theme with system fonts, because the original loads a font from another host. */
export default Theme;
