function assert(condition: unknown, message = "assertion failed"): void {
  if (!condition) throw new Error(message);
}

// Libraries in CommonJS call the module itself.
export { assert as default, assert as "module.exports" };
