export const formatTime = (milliseconds: number): string =>
  milliseconds < 1_000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;

export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
