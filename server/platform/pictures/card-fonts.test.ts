// Tests fonts for letters that the two default fonts of link preview pictures lack.
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
    // Checks that the file starts with the signature of a TrueType or an OpenType font.
    expect((await readFile(path)).readUInt32BE()).toBeOneOf([0x00_01_00_00, 0x4f_54_54_4f])
  }
  await fonts.remove()
  expect(fonts.paths.filter((path) => existsSync(path))).toEqual([])
  // If no font had one of its letters, the title would be omitted.
  expect(await drawTitle(title)).not.toEqual(await drawTitle(''))
})

/** Draws a picture and returns the area with the title. */
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
