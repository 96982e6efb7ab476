// Detects the type of an evidence file from its bytes. The file name and the type that the browser sent are ignored.
import type { EvidenceMime } from '#contract/fields/evidence.ts'

/** Number of bytes in which the PDF header is searched. PDF readers accept other bytes before it. */
const pdfHeaderWithin = 1024

/** Null if files of this type are not accepted. */
export function detectEvidenceType(bytes: Buffer): EvidenceMime | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (isText(bytes, 0, 'RIFF') && isText(bytes, 8, 'WEBP')) return 'image/webp'
  if (bytes.subarray(0, pdfHeaderWithin).includes('%PDF-')) return 'application/pdf'
  return isPlainText(bytes) ? 'text/plain' : null
}

function startsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

function isText(bytes: Buffer, from: number, text: string): boolean {
  return bytes.toString('latin1', from, from + text.length) === text
}

/** Whether the bytes are UTF-8 text without control characters other than tab and line breaks. */
function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !/[^\P{Cc}\t\r\n\f]/u.test(text)
  } catch {
    return false
  }
}
