// Safety limits for archives. Zip bombs, links and paths outside the archive are rejected before anything is unpacked.
import type { Entry } from 'yauzl'
import { ImportError } from './archive-error.ts'

const gigabyte = 1024 ** 3

/**
 * Maximum number of entries in an export and in an archive of recordings. An export contains six files for each
 * picture.
 */
export const maxEntries = { catalogue: 250_000, files: 50_000 }
const maxTotalBytes = 500 * gigabyte
const maxPathLength = 1000
const maxDepth = 20
const maxExtraBytes = 4096
/**
 * The highest accepted compression ratio. Real recordings and texts rarely compress to less than a tenth of their size.
 * Small archives are not checked.
 */
const maxRatio = 100
const ratioCountsFromBytes = 100 * 1024 ** 2

/** The bits of a Unix file mode that contain the file's type. 0 means that no type is given. */
const regular = 0o100000
const directory = 0o040000
const link = 0o120000
const kindMask = 0o170000
const madeByUnix = 3

export interface ArchiveTotals {
  entryCount: number
  compressedBytes: number
  bytes: number
}

/** Adds an entry to the totals. Throws an ImportError if the entry is unsafe. */
export function checkEntry(entry: Entry, totals: ArchiveTotals): void {
  totals.entryCount += 1
  totals.compressedBytes += entry.compressedSize
  totals.bytes += entry.uncompressedSize
  const named = `“${entry.fileName.slice(0, 100)}”`
  if (totals.entryCount > maxEntries.catalogue) {
    throw new ImportError('The archive contains too many files.')
  }
  if (entry.isEncrypted()) {
    throw new ImportError('The archive is protected by a password. Create one without a password.')
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new ImportError(`${named} uses an unsupported compression method.`)
  }
  const depth = entry.fileName.split('/').length
  if (entry.fileName.length > maxPathLength || depth > maxDepth) {
    throw new ImportError(`The path ${named} is too long.`)
  }
  // The zip library keeps the extra fields and comments of all entries in memory.
  if (entry.extraFieldLength > maxExtraBytes || entry.fileCommentLength > maxExtraBytes) {
    throw new ImportError(`${named} has too much metadata in the archive.`)
  }
  if (/\p{Cc}/u.test(entry.fileName)) {
    throw new ImportError(`The path ${named} contains characters that are not allowed.`)
  }
  const mode = entry.versionMadeBy >> 8 === madeByUnix ? entry.externalFileAttributes >>> 16 : 0
  const kind = mode & kindMask
  if (kind === link)
    throw new ImportError(`${named} is a link. Add the file itself to the archive.`)
  if (kind !== 0 && kind !== regular && kind !== directory) {
    throw new ImportError(`${named} is not a regular file.`)
  }
}

/** Checks the sums over all entries. `archiveBytes` is the size of the archive. Throws an ImportError. */
export function checkTotals(totals: ArchiveTotals, archiveBytes: number): void {
  // Entries that share compressed bytes would let a small archive unpack to an unlimited size.
  if (totals.compressedBytes > archiveBytes) {
    throw new ImportError('The archive is damaged: its files overlap.')
  }
  const isSuspicious = totals.bytes > ratioCountsFromBytes && totals.bytes > archiveBytes * maxRatio
  if (isSuspicious || totals.bytes > maxTotalBytes) {
    throw new ImportError('The archive would be too large when unpacked.')
  }
}
