// Re-encodes the logo or icon of the service. Unlike covers, they stay transparent and are PNG, the only format that
// emails, home screens and old browsers all support. Runs only in picture-child.ts.
import sharp from 'sharp'
import { checkPicture, openPicture, toPictureError } from './check-picture.ts'
import type { EmblemKind } from './emblem-names.ts'

export interface EncodedEmblem {
  files: { name: string; bytes: Uint8Array }[]
  /** Size in pixels of the logo, or of the largest icon. */
  width: number
  height: number
}

/** Twice the size at which pages show the logo, for high-resolution screens. */
const logoBox = { width: 480, height: 128 }
/** Launchers may crop a maskable icon to a circle, so its content must be within 80 % of the width. */
const maskableShare = 0.72
/**
 * Background of icons for Apple devices and launchers, which otherwise fill transparent parts with black or white.
 */
const ground = '#1d121b'

/** Throws `unsupported_image` and `image_too_large`. */
export async function encodeEmblem(
  input: Uint8Array | string,
  kind: EmblemKind,
): Promise<EncodedEmblem> {
  await checkPicture(input)
  try {
    return kind === 'logo' ? await encodeLogo(input) : await encodeIcon(input)
  } catch (error) {
    throw toPictureError(error)
  }
}

async function encodeLogo(input: Uint8Array | string): Promise<EncodedEmblem> {
  const upright = await openPicture(input).rotate().toColourspace('srgb').png().toBuffer()
  const { data, info } = await sharp(upright)
    .resize({ ...logoBox, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true })
  return { files: [{ name: 'logo.png', bytes: data }], width: info.width, height: info.height }
}

async function encodeIcon(input: Uint8Array | string): Promise<EncodedEmblem> {
  const upright = await openPicture(input).rotate().toColourspace('srgb').png().toBuffer()
  const square = (side: number) =>
    sharp(upright).resize(side, side, { fit: 'contain', background: '#0000' })
  const plain = (side: number) => square(side).png({ compressionLevel: 9 }).toBuffer()
  const inner = Math.round(512 * maskableShare)
  const rim = (512 - inner) / 2
  const maskable = square(inner)
    .extend({
      top: Math.floor(rim),
      bottom: Math.ceil(rim),
      left: Math.floor(rim),
      right: Math.ceil(rim),
      background: '#0000',
    })
    .png()
    .toBuffer()
  const onGround = async (picture: Buffer) =>
    sharp(picture).flatten({ background: ground }).png({ compressionLevel: 9 }).toBuffer()
  const files = [
    { name: 'icon-48.png', bytes: await plain(48) },
    { name: 'icon-180.png', bytes: await onGround(await plain(180)) },
    { name: 'icon-192.png', bytes: await plain(192) },
    { name: 'icon-512.png', bytes: await plain(512) },
    { name: 'maskable-512.png', bytes: await onGround(await maskable) },
  ]
  return { files, width: 512, height: 512 }
}
