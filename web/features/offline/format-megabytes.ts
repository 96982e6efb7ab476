// Formats sizes as the storage settings of a device show them.

/** Formats a size as `0.4 MB`, `38 MB` or `1.2 GB`: decimal units, as storage settings show them. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1_000_000
  if (megabytes >= 999.5) return `${(megabytes / 1000).toFixed(1)} GB`
  return `${megabytes >= 10 ? Math.round(megabytes) : megabytes.toFixed(1)} MB`
}
