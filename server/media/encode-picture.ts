// Decodes a stranger's picture, crops it to a square and encodes it anew in every size; nothing of
// the original is passed on. Runs inside picture-child.ts only: the decoders are native code.
import { open, stat } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { pictureSizes, type PictureSize } from '#contract/pictures.ts'
import { filmGrain, grainSide } from './covers/film-grain.ts'
import { MediaError } from './media-error.ts'
import { findTint } from './tint.ts'

export type PictureKind = 'cover' | 'avatar'
export type ImageFormat = 'avif' | 'webp'
export type ProcessedImage = {
  /** One per size and format. A picture smaller than a size is not enlarged for it. */
  files: { size: PictureSize; format: ImageFormat; bytes: Uint8Array }[]
  /** `#rrggbb`, see findTint. */
  tint: string
  /** A data URI of at most 300 characters, for `background-image`. */
  placeholder: string
  /** Pixels of the largest file; always square. */
  width: number
  height: number
}

const maxBytes = 20 * 1024 ** 2
const maxPixels = 40_000_000
/** Picked by eye on covers: the first values where gradients show no bands at twice the size. */
const encoders: Record<ImageFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 58, effort: 3, chromaSubsampling: '4:2:0' }),
  webp: (image) => image.webp({ quality: 80, effort: 4, smartSubsample: true }),
}
const formats = Object.keys(encoders) as ImageFormat[]
const placeholderSide = 8

/** Sizes and formats of one picture; see processImage for what is taken and thrown. */
export async function encodePicture(
  input: Uint8Array | string,
  kind: PictureKind,
): Promise<ProcessedImage> {
  await checkInput(input)
  const square = await decodeSquare(input, kind)
  const pixels = sharp(square.data, { raw: square.info })
  const files = await Promise.all(
    pictureSizes.flatMap((size) => {
      const resized = pixels.clone().resize(size, size, { withoutEnlargement: true })
      return formats.map(async (format) => ({
        size,
        format,
        bytes: await encoders[format](resized.clone()).toBuffer(),
      }))
    }),
  )
  const small = await pixels.clone().resize(64, 64).raw().toBuffer()
  return {
    files,
    tint: findTint(small),
    placeholder: await makePlaceholder(pixels),
    width: square.info.width,
    height: square.info.height,
  }
}

async function makePlaceholder(pixels: Sharp): Promise<string> {
  const tiny = await pixels
    .clone()
    .resize(placeholderSide, placeholderSide)
    .webp({ quality: 50, effort: 6, smartSubsample: true })
    .toBuffer()
  return `data:image/webp;base64,${tiny.toString('base64')}`
}

async function checkInput(input: Uint8Array | string): Promise<void> {
  const bytes = typeof input === 'string' ? (await stat(input)).size : input.length
  if (bytes > maxBytes) throw new MediaError('image_too_large', 'The picture is larger than 20 MB.')
  if (!isKnownPicture(await readStart(input))) throw unsupported()
  const { width, height } = await readMetadata(input)
  if (width * height > maxPixels) throw tooManyPixels()
}

function unsupported(cause?: unknown): MediaError {
  const message = 'This file is not a picture that can be shown. JPEG, PNG, WebP, AVIF and GIF are.'
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

/** By their first bytes, before any decoder looks: SVG can hold scripts and is not among them. */
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
    return await openImage(input).metadata()
  } catch (error) {
    throw refusal(error)
  }
}

function openImage(input: Uint8Array | string): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
}

async function decodeSquare(input: Uint8Array | string, kind: PictureKind) {
  try {
    const upright = openImage(input).rotate()
    const side = Math.max(...pictureSizes)
    const { width, height } = await openImage(input).metadata()
    const fitting = Math.min(side, width, height)
    return await upright
      .resize(fitting, fitting, { fit: 'cover', position: kind === 'avatar' ? 'top' : 'centre' })
      .flatten({ background: ground })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw refusal(error)
  }
}

/** What shows through transparent pictures: our own dark ground. */
const ground = '#1d151b'

function refusal(error: unknown): MediaError {
  return /pixel limit/i.test(String(error)) ? tooManyPixels() : unsupported(error)
}

/** Draws our own SVG, `side` pixels square, as PNG with film grain. Never for a stranger's. */
export async function rasterise(svg: string, side: number): Promise<Buffer> {
  const raw = { width: grainSide, height: grainSide, channels: 4 } as const
  return sharp(Buffer.from(svg))
    .resize(side, side)
    .composite([{ input: filmGrain(), raw, tile: true }])
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
}
