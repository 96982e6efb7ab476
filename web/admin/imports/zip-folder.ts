// Packs a folder into a zip archive. The archive refers to the files instead of copying or compressing them, so memory
// use stays small for a folder of any size. Format: APPNOTE 6.3.10 with zip64 (4.3.14, 4.5.3).
import type { FoundFile } from '../uploads/queue/upload-item.ts'

const pieceBytes = 4 * 1024 ** 2
const maxUint32 = 0xffffffff
const maxUint16 = 0xffff
/** Version 4.5, which readers need for zip64. */
const version = 45
/** Bit 11: names are UTF-8. */
const flags = 0x800
/** 1980-01-01 in DOS format. Fixed, so that the same files always produce the same archive. */
const date = 0x21

interface Entry {
  name: Uint8Array<ArrayBuffer>
  size: number
  crc: number
  offset: number
}

interface ZipOptions {
  signal: AbortSignal
  /** Called with the progress, 0 to 1. */
  onProgress: (share: number) => void
}

/** Reads every file once to compute its checksum. `lastModified` of the archive is that of its newest file. */
export async function zipFolder(
  found: readonly FoundFile[],
  name: string,
  { signal, onProgress }: ZipOptions,
): Promise<File> {
  const total = found.reduce((sum, { file }) => sum + file.size, 0)
  const parts: BlobPart[] = []
  const entries: Entry[] = []
  let offset = 0
  let read = 0
  for (const { file, path } of found) {
    const crc = await checksum(file, signal, (bytes) => onProgress((read + bytes) / (total || 1)))
    read += file.size
    const entry = { name: new TextEncoder().encode(path), size: file.size, crc, offset }
    const header = localHeader(entry)
    parts.push(header, file)
    entries.push(entry)
    offset += header.length + file.size
  }
  parts.push(...directory(entries, offset))
  const lastModified = Math.max(0, ...found.map(({ file }) => file.lastModified))
  return new File(parts, name, { type: 'application/zip', lastModified })
}

async function checksum(
  file: Blob,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<number> {
  let crc = maxUint32
  for (let at = 0; at < file.size; at += pieceBytes) {
    signal.throwIfAborted()
    const piece = new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer())
    for (const byte of piece) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0)
    onProgress(at + piece.length)
  }
  return ~crc >>> 0
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

type Field = [bytes: 2 | 4 | 8, value: number]

/** Encodes fields of the given sizes as little-endian numbers. */
function record(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  return bytes
}

function join(...pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The fields from the version to the checksum, which the local and the central header have in common. */
const commonFields = ({ crc }: Entry): Field[] => [
  [2, version],
  [2, flags],
  [2, 0],
  [2, 0],
  [2, date],
  [4, crc],
]

/** Always writes the sizes to the zip64 field, so that all headers have the same length. */
function localHeader(entry: Entry): Uint8Array<ArrayBuffer> {
  const head = record([
    [4, 0x04034b50],
    ...commonFields(entry),
    [4, maxUint32],
    [4, maxUint32],
    [2, entry.name.length],
    [2, 20],
  ])
  const extra = record([
    [2, 1],
    [2, 16],
    [8, entry.size],
    [8, entry.size],
  ])
  return join(head, entry.name, extra)
}

function directory(entries: readonly Entry[], start: number): Uint8Array<ArrayBuffer>[] {
  const records = entries.map((entry) => {
    const head = record([
      [4, 0x02014b50],
      [2, version],
      ...commonFields(entry),
      [4, maxUint32],
      [4, maxUint32],
      [2, entry.name.length],
      [2, 28],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, maxUint32],
    ])
    const extra = record([
      [2, 1],
      [2, 24],
      [8, entry.size],
      [8, entry.size],
      [8, entry.offset],
    ])
    return join(head, entry.name, extra)
  })
  const size = records.reduce((sum, { length }) => sum + length, 0)
  const { length: count } = entries
  const end64 = record([
    [4, 0x06064b50],
    [8, 44],
    [2, version],
    [2, version],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  ])
  const locator = record([
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  ])
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, maxUint16],
    [2, maxUint16],
    [4, maxUint32],
    [4, maxUint32],
    [2, 0],
  ])
  return [...records, end64, locator, end]
}
