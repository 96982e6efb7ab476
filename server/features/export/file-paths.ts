// Paths of exported files that people can read and every file system accepts.

/** Without what Windows, macOS or Linux refuse in names. */
export function safeFileName(title: string): string {
  const clean = title
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, '_')
    .slice(0, 100)
    .toWellFormed()
    .replace(/^[. ]+|[. ]+$/g, '')
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(clean)
  return (isReserved ? `_${clean}` : clean) || 'Untitled'
}

/** Gives each path once, also where upper and lower case are the same: `a.wav`, `a (2).wav`. */
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
