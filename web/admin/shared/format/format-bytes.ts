// Formats file and disk sizes.

/** Formats a size like `3.4 MB`. Units are decimal (1 MB = 1,000,000 bytes), as in file managers. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${units[step]}`
}
