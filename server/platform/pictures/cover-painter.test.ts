import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawCover, renderCover } from './cover-painter.ts'
import { processImage } from './images.ts'

const titles = Array.from({ length: 200 }, (_, i) => `Evening ${i}`)

test('draws the same picture for the same texts, and a different one for other texts', () => {
  const drawn = titles.map((title) => drawCover({ title, artist: 'Velour' }))
  expect(titles.map((title) => drawCover({ title, artist: 'Velour' }))).toEqual(drawn)
  expect(new Set(drawn).size).toBe(titles.length)
  expect(drawCover({ title: ' evening 1 ', artist: 'velour' })).toBe(drawn[1])
})

test('another mood changes only the colors', () => {
  const shapes = (mood: string) =>
    drawCover({ title: 'Undertow', mood }).replaceAll(/#[0-9a-f]{6}/g, '')
  const colorsFor = (mood: string) =>
    drawCover({ title: 'Undertow', mood })
      .match(/#[0-9a-f]{6}/g)
      ?.slice(0, 40)
  expect(shapes('workout')).toBe(shapes('Study'))
  expect(colorsFor('workout')).not.toEqual(colorsFor('Study'))
  expect(colorsFor('Romantic Chill')).toEqual(colorsFor('romantic-chill'))
})

test('the drawing contains no text from users', () => {
  const title = '"/><script>alert(1)</script>'
  const svg = drawCover({ title, artist: title, mood: title })
  expect(svg).not.toMatch(/script|<text|NaN|undefined|Infinity/)
})

test('draws well-formed and colorful pictures', async () => {
  for (const title of titles.slice(0, 12)) {
    const svg = drawCover({ title })
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    // Rendered at a small size, because a full-size picture takes half a second.
    const small = sharp(Buffer.from(svg), { density: 9 }).resize(64, 64).removeAlpha()
    const { channels } = await sharp(await small.png().toBuffer()).stats()
    const spread = channels.map(({ stdev }) => stdev)
    expect(Math.max(...spread)).toBeGreaterThan(12)
  }
})

test('is accepted in the same way as an uploaded picture', async () => {
  const image = await renderCover({ title: 'Velvet Hour', artist: null })
  const again = await processImage(await sharp(image.files.at(-1)!.bytes).png().toBuffer(), {
    kind: 'cover',
  })
  expect(image.files.map(({ size, format }) => `${size}.${format}`)).toEqual(
    again.files.map(({ size, format }) => `${size}.${format}`),
  )
  for (const { size, bytes } of image.files) {
    expect(await sharp(bytes).metadata()).toMatchObject({ width: size, height: size, channels: 3 })
  }
  expect([image.width, image.height]).toEqual([1024, 1024])
  expect(image.placeholder.length).toBeLessThanOrEqual(300)
})
