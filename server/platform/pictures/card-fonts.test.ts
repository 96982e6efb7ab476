// Fonts for cards with letters that the two card fonts lack.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { unpackFonts } from './card-fonts.ts'
import { processCard } from './images.ts'

const titles = {
  Japanese: '夜更けのための音楽',
  Chinese: '雨夜的灯火',
  Korean: '늦은 밤의 노래',
  Arabic: 'أغاني المساء الهادئة',
  Hebrew: 'שירי לילה ארוכים',
  Hindi: 'धीमी बारिश की रात',
  Thai: 'เพลงยามค่ำคืน',
  Russian: 'Ночная дорога',
  Greek: 'Νυχτερινό τρένο',
  Vietnamese: 'Đêm dài lặng lẽ',
  emoji: '🌙✨🎹',
}

test.each(Object.entries(titles))('draws a title in %s', async (_script, title) => {
  const fonts = await unpackFonts(title)
  expect(fonts.paths.length).toBeGreaterThan(0)
  for (const path of fonts.paths) {
    // The signature of a TrueType font, or that of OpenType.
    expect((await readFile(path)).readUInt32BE()).toBeOneOf([0x00_01_00_00, 0x4f_54_54_4f])
  }
  await fonts.remove()
  expect(fonts.paths.filter((path) => existsSync(path))).toEqual([])
  // The title is omitted if no font has one of its letters.
  expect(await drawTitle(title)).not.toEqual(await drawTitle(''))
})

/** The part of the card that has the title. */
async function drawTitle(title: string): Promise<Buffer> {
  const { wide } = await processCard({
    cover: Buffer.from(await sharp({ create: black }).png().toBuffer()),
    logo: null,
    tint: null,
    title,
    artist: '',
    label: 'Track',
    mark: null,
    brandName: 'Velour',
    bars: [],
  })
  return sharp(wide).extract({ left: 620, top: 80, width: 510, height: 300 }).raw().toBuffer()
}
const black = { width: 8, height: 8, channels: 3, background: '#000' } as const

test('uses no additional font for Latin letters', async () => {
  expect((await unpackFonts('Ça ira – Živéti, “naïve” …')).paths).toEqual([])
})
