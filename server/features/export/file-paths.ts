// Creates readable paths for exported files that every file system accepts.

/** Replaces characters and names that Windows, macOS or Linux do not allow. */
export function toSafeFileName(title: string): string {
  const clean = title
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, '_')
    .slice(0, 100)
    .toWellFormed()
    .replace(/^[. ]+|[. ]+$/g, '')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(clean)
  return (isReserved ? `_${clean}` : clean) || 'Untitled'
}

/** Returns a function that creates unique paths, even on file systems that ignore case: `a.wav`, `a (2).wav`. */
export function createPaths(): (folder: string, name: string, extension: string) => string {
  const taken = new Set<string>()
  return (folder, name, extension) => {
    for (let number = 1; ; number++) {
      const path = `${folder}/${name}${number === 1 ? '' : ` (${number})`}${extension}`
      const folded = path.normalize('NFC').toLowerCase()
      if (taken.has(folded)) continue
      taken.add(folded)
      return path
    }
  }
}
