// Checks by their content which pictures are accepted, before they are decoded.
import { open, stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { MediaError } from '../ffmpeg/media-error.ts'

const maxBytes = 20 * 1024 ** 2
const maxPixels = 40_000_000

/** Throws `unsupported_image` or `image_too_large`. `input` is the bytes or a path. */
export async function checkPicture(input: Uint8Array | string): Promise<void> {
  const bytes = typeof input === 'string' ? (await stat(input)).size : input.length
  if (bytes > maxBytes) throw new MediaError('image_too_large', 'The picture is larger than 20 MB.')
  if (!isKnownPicture(await readStart(input))) throw unsupported()
  const { width, height } = await readMetadata(input)
  if (width * height > maxPixels) throw tooManyPixels()
}

function unsupported(cause?: unknown): MediaError {
  const message = 'This file is not a picture that can be shown. Use JPEG, PNG, WebP, AVIF or GIF.'
  return new MediaError('unsupported_image', message, { cause })
}

function tooManyPixels(): MediaError {
  return new MediaError('image_too_large', 'The picture has more than 40 million pixels.')
}

async function readStart(input: Uint8Array | string): Promise<Buffer> {
  if (typeof input !== 'string') return Buffer.from(input.subarray(0, 16))
  await using file = await open(input)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
  return buffer.subarray(0, bytesRead)
}

/** Detects the format from the first bytes, before a decoder runs. Excludes SVG, because it can contain scripts. */
function isKnownPicture(start: Buffer): boolean {
  const text = start.toString('latin1')
  return (
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    /^GIF8[79]a/.test(text) ||
    /^RIFF[^]{4}WEBP/.test(text) ||
    /^[^]{4}ftyp(?:avif|avis|mif1|miaf)/.test(text)
  )
}

async function readMetadata(input: Uint8Array | string): Promise<Metadata> {
  try {
    return await openPicture(input).metadata()
  } catch (error) {
    throw toPictureError(error)
  }
}

/** Opens a picture for decoding. Call it only with input that `checkPicture` accepted. */
export function openPicture(input: Uint8Array | string): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
}

/** Converts a decoder's error to a message for the person who uploaded the picture. */
export function toPictureError(error: unknown): MediaError {
  return /pixel limit/i.test(String(error)) ? tooManyPixels() : unsupported(error)
}
