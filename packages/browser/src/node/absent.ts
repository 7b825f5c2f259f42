/** Modules of Node.js that libraries load and never use in a page. */
export default {};
