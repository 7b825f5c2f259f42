/// <reference types="vitepress/client" />
import Theme from "vitepress/theme-without-fonts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import "./style.css";

/** The default theme in the reader's own fonts: the original asks another host for one. */
export default Theme;
