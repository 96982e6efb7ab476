import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createTestFolder } from '../../testing/audio-fixtures.ts'
import { processImage } from './images.ts'

const folder = await createTestFolder()
const cover = { kind: 'cover' } as const

/** Draws a picture whose left half is red and right half is blue. */
function halves(width: number, height: number) {
  const right = {
    create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#1030d0' },
  }
  return sharp({ create: { width, height, channels: 3, background: '#d01030' } }).composite([
    { input: right, left: Math.floor(width / 2), top: 0 },
  ])
}

/** Returns the color of a picture at a point. Coordinates are fractions of its sides. */
async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<'red' | 'blue' | 'other'> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const [red = 0, , blue = 0] = data.subarray(at, at + 3)
  if (red > 150 && blue < 100) return 'red'
  return blue > 150 && red < 100 ? 'blue' : 'other'
}

/** Creates a PNG of a few bytes that claims any size. */
function hollowPng(width: number, height: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(content.length)
    return Buffer.concat([head, Buffer.from(name), content, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a valid picture', () => {
  test('is encoded in three sizes and two formats, with a tint and a placeholder', async () => {
    const image = await processImage(await halves(1600, 1200).jpeg().toBuffer(), cover)
    const shapes = await Promise.all(
      image.files.map(async ({ size, format, bytes }) => {
        const found = await sharp(bytes).metadata()
        expect(found.width).toBe(size)
        expect(found.height).toBe(size)
        expect(found.format).toBe(format === 'avif' ? 'heif' : 'webp')
        return `${size}.${format}`
      }),
    )
    expect(shapes.toSorted()).toEqual(
      ['1024.avif', '1024.webp', '128.avif', '128.webp', '384.avif', '384.webp'].toSorted(),
    )
    expect(image).toMatchObject({ width: 1024, height: 1024 })
    expect(image.tint).toMatch(/^#[0-9a-f]{6}$/)
    expect(image.placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(image.placeholder.length).toBeLessThanOrEqual(300)
    const placeholder = Buffer.from(image.placeholder.split(',')[1] ?? '', 'base64')
    expect(await sharp(placeholder).metadata()).toMatchObject({ width: 8, height: 8 })
  })

  test.each(['png', 'webp', 'avif', 'gif'] as const)('may be %s, by path too', async (format) => {
    const path = join(folder, 'picture.txt')
    await writeFile(path, await halves(300, 300).toFormat(format).toBuffer())
    const image = await processImage(path, cover)
    expect(await colorAt(image.files[0]!.bytes, 0.25, 0.5)).toBe('red')
    expect(await colorAt(image.files[0]!.bytes, 0.75, 0.5)).toBe('blue')
  })

  test('is not enlarged', async () => {
    const image = await processImage(await halves(200, 260).png().toBuffer(), cover)
    const largest = image.files.find(({ size }) => size === 1024)
    expect(await sharp(largest?.bytes).metadata()).toMatchObject({ width: 200, height: 200 })
    expect(image.width).toBe(200)
  })

  test('is rotated by its EXIF orientation, and loses its location data', async () => {
    const taken = await halves(400, 400)
      .withExif({ IFD0: { Orientation: '6', Copyright: 'HOME ADDRESS' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const image = await processImage(taken, cover)
    const { bytes } = image.files.find(({ format }) => format === 'webp')!
    expect(await colorAt(bytes, 0.5, 0.2)).toBe('red')
    expect(await colorAt(bytes, 0.5, 0.8)).toBe('blue')
    const { exif, orientation } = await sharp(bytes).metadata()
    expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined })
  })

  test('a tall avatar is cropped to its top, a tall cover to its middle', async () => {
    const wide = await halves(900, 300).png().toBuffer()
    const tall = await sharp(wide).rotate(90).png().toBuffer()
    const avatar = await processImage(tall, { kind: 'avatar' })
    expect(await colorAt(avatar.files[0]!.bytes, 0.5, 0.95)).toBe('red')
    const middle = await processImage(tall, cover)
    expect(await colorAt(middle.files[0]!.bytes, 0.5, 0.05)).toBe('red')
    expect(await colorAt(middle.files[0]!.bytes, 0.5, 0.95)).toBe('blue')
  })

  test('may be gray, 16-bit or transparent', async () => {
    const gray = await halves(100, 100).greyscale().png().toBuffer()
    const deep = await halves(100, 100).toColourspace('rgb16').png().toBuffer()
    const clear = await halves(100, 100).ensureAlpha(0.2).png().toBuffer()
    for (const bytes of [gray, deep, clear]) {
      const { files } = await processImage(bytes, cover)
      expect(await sharp(files[0]!.bytes).metadata()).toMatchObject({
        channels: 3,
        hasAlpha: false,
      })
    }
  })
})

describe('refuses', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
  test.each([
    ['SVG', svg],
    ['SVG behind an XML head', `<?xml version="1.0"?>${svg}`],
    ['HTML', '<html><script>alert(1)</script></html>'],
    ['nothing', ''],
    ['a GIF that is a script', 'GIF89a=1;alert(1)//'],
    ['a TIFF', 'II*\0\x08\0\0\0\0\0\0\0'],
    ['a PDF', '%PDF-1.7\n'],
  ])('%s', async (_name, content) => {
    await expect(processImage(Buffer.from(content, 'latin1'), cover)).rejects.toMatchObject({
      code: 'unsupported_image',
    })
  })

  test('a truncated picture', async () => {
    const whole = await halves(600, 600).jpeg().toBuffer()
    const cut = whole.subarray(0, whole.length / 2)
    await expect(processImage(cut, cover)).rejects.toMatchObject({ code: 'unsupported_image' })
  })

  test('a decompression bomb', async () => {
    const bomb = hollowPng(50_000, 50_000)
    expect(bomb.length).toBeLessThan(200)
    await expect(processImage(bomb, cover)).rejects.toMatchObject({ code: 'image_too_large' })
  })

  test('a real picture of more than 40 million pixels', async () => {
    const huge = await sharp({
      create: { width: 6500, height: 6500, channels: 3, background: '#000' },
    })
      .png()
      .toBuffer()
    await expect(processImage(huge, cover)).rejects.toMatchObject({ code: 'image_too_large' })
  })

  test('more than 20 MB', async () => {
    const heavy = Buffer.concat([hollowPng(9, 9), Buffer.alloc(20 * 1024 ** 2)])
    await expect(processImage(heavy, cover)).rejects.toMatchObject({ code: 'image_too_large' })
  })
})

test('encodes many pictures concurrently', async () => {
  const picture = await halves(64, 64).png().toBuffer()
  const images = await Promise.all(Array.from({ length: 6 }, () => processImage(picture, cover)))
  expect(images.every(({ files }) => files.length === 6)).toBe(true)
})
