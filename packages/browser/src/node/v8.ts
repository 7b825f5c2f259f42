/** Bytes. The heap of a page is limited to about as much. */
export const getHeapStatistics = () => ({ heap_size_limit: 2 * 1024 ** 3 });
