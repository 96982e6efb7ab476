// Validates a file before upload: rejects immediately what the server would reject, with the same code and message.
import type { errors } from '#contract/errors.ts'
import { uploadMaxBytes, type Bucket } from '#contract/uploads.ts'
import { ApiError } from '../api/api.ts'
import { isMpegAudio } from './mpeg-frames.ts'

/** Read enough to find the first frames of an MP3 that begins with other data. */
const headBytes = 128 * 1024

/** Throws `file_empty`, `payload_too_large`, `unsupported_media` or `unsupported_image`. */
export async function validateUploadFile(file: File, bucket: Bucket): Promise<void> {
  if (file.size === 0) throw refusal('file_empty')
  if (file.size > uploadMaxBytes[bucket]) throw refusal('payload_too_large')
  const head = await readBytes(file, 0)
  // The browser's type is only a first check: the server inspects the bytes.
  if (bucket === 'evidence') return
  if (bucket === 'covers') {
    if (!isPicture(head)) throw refusal('unsupported_image')
  } else if (bucket === 'archives') {
    if (!hasText(head, 0, 'PK')) throw refusal('unsupported_archive')
  } else if (!isAudioContainer(head) && !isMpegAudio(await behindId3Tag(file, head))) {
    throw refusal('unsupported_media')
  }
}

/** A subset of the server's errors, checked against its type. The full table is not part of the client bundle. */
const refusals = {
  file_empty: [400, 'The file is empty.'],
  payload_too_large: [413, 'The file is too large.'],
  unsupported_media: [415, 'This file is not audio that can be played.'],
  unsupported_archive: [415, 'This file is not a zip archive.'],
  unsupported_image: [415, 'This file is not a picture that can be shown.'],
} as const satisfies Partial<typeof errors>

function refusal(code: keyof typeof refusals): ApiError {
  const [status, words] = refusals[code]
  return new ApiError(code, status, words)
}

async function readBytes(file: File, start: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, start + headBytes).arrayBuffer())
}

/** An ID3v2 tag stores its length in four bytes of seven bits; it may contain a picture of several megabytes. */
async function behindId3Tag(file: File, head: Uint8Array): Promise<Uint8Array> {
  if (!hasText(head, 0, 'ID3')) return head
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10)
  return readBytes(file, 10 + ((a << 21) | (b << 14) | (c << 7) | d))
}

function isAudioContainer(head: Uint8Array): boolean {
  return (
    (['RIFF', 'RF64', 'BW64'].some((id) => hasText(head, 0, id)) && hasText(head, 8, 'WAVE')) ||
    (hasText(head, 0, 'FORM') && (hasText(head, 8, 'AIFF') || hasText(head, 8, 'AIFC'))) ||
    hasText(head, 0, 'fLaC') ||
    hasText(head, 0, 'OggS') ||
    (hasText(head, 4, 'ftyp') && !isPicture(head)) ||
    // Matroska and WebM.
    hasBytes(head, [0x1a, 0x45, 0xdf, 0xa3])
  )
}

function isPicture(head: Uint8Array): boolean {
  return (
    hasBytes(head, [0xff, 0xd8, 0xff]) ||
    hasBytes(head, [0x89, 0x50, 0x4e, 0x47]) ||
    hasText(head, 0, 'GIF8') ||
    (hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP')) ||
    (hasText(head, 4, 'ftyp') && ['avif', 'avis', 'mif1'].some((id) => hasText(head, 8, id)))
  )
}

function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  return [...text].every((letter, index) => bytes[offset + index] === letter.charCodeAt(0))
}

function hasBytes(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
