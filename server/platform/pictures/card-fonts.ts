// Fonts for letters that the two default fonts of link preview pictures lack, from the Noto packages. Each package
// splits its font into files by letters, so only the files that a text needs are read. FreeType in sharp can't read
// WOFF2, so the files are unpacked first.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import decompress from 'wawoff2/decompress.js'
import { isCoveredByCardFonts } from './card-letters.ts'

export interface FontFiles {
  paths: string[]
  remove: () => Promise<void>
}

/** For each package, the file that lists the parts of the font. */
const packages = {
  'noto-sans': import.meta.resolve('@fontsource-variable/noto-sans/unicode.json'),
  'noto-sans-arabic': import.meta.resolve('@fontsource-variable/noto-sans-arabic/unicode.json'),
  'noto-sans-hebrew': import.meta.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json'),
  'noto-sans-thai': import.meta.resolve('@fontsource-variable/noto-sans-thai/unicode.json'),
  'noto-emoji': import.meta.resolve('@fontsource-variable/noto-emoji/unicode.json'),
  'noto-sans-sc': import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  'noto-sans-jp': import.meta.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  'noto-sans-kr': import.meta.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
}
type PackageName = keyof typeof packages

const alphabets = ['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'] as const
const chinese = 'noto-sans-sc'
const japanese = 'noto-sans-jp'
const korean = 'noto-sans-kr'
/** Parts whose ranges include characters that they cannot draw. */
const impreciseParts = new Set(['symbols', 'math'])

/** One file of a package, and the code points that it contains. */
interface FontFile {
  path: string
  ranges: readonly (readonly [from: number, to: number])[]
}

/**
 * Unpacks the font files for all letters of `text` that the default fonts lack. Letters that no file contains are
 * skipped.
 */
export async function unpackFonts(text: string): Promise<FontFiles> {
  const letters = [...new Set(text)].filter((letter) => !isCoveredByCardFonts(letter))
  const sources = await findFiles(letters, packagesFor(text))
  if (sources.length === 0) return { paths: [], remove: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'velour-fonts-'))
  const paths: string[] = []
  for (const [at, source] of sources.entries()) {
    const path = join(folder, `${at}.ttf`)
    await writeFile(path, await decompress(await readFile(source)))
    paths.push(path)
  }
  return { paths, remove: () => rm(folder, { recursive: true }) }
}

/**
 * Chinese, Japanese and Korean share code points, but draw them differently. Their ranges also include emoji that
 * they can't draw, so the emoji font takes precedence.
 */
function packagesFor(text: string): PackageName[] {
  const others = [chinese, japanese, korean] as const
  const first = /[\u3040-\u30ff]/.test(text)
    ? japanese
    : /[\u1100-\u11ff\uac00-\ud7af]/.test(text)
      ? korean
      : chinese
  return [...alphabets, 'noto-emoji', first, ...others.filter((name) => name !== first)]
}

async function findFiles(letters: readonly string[], names: readonly PackageName[]) {
  const found = new Set<string>()
  let missing = letters.map((letter) => letter.codePointAt(0)!)
  for (const name of names) {
    if (missing.length === 0) break
    const files = await readFiles(name)
    missing = missing.filter((point) => {
      const file = files.find(({ ranges }) =>
        ranges.some(([from, to]) => point >= from && point <= to),
      )
      if (file) found.add(file.path)
      return !file
    })
  }
  return [...found]
}

async function readFiles(name: PackageName): Promise<FontFile[]> {
  const list = fileURLToPath(packages[name])
  const ranges = JSON.parse(await readFile(list, 'utf8')) as Record<string, string>
  const parts = Object.entries(ranges).filter(([part]) => !impreciseParts.has(part))
  return parts.map(([part, text]) => ({
    path: join(
      dirname(list),
      'files',
      `${name}-${part.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
    ),
    ranges: text.split(',').map(parseRange),
  }))
}

/** Parses a range such as `U+600-6FF` or `U+20AC`. */
function parseRange(text: string): [number, number] {
  const [from = '', to = from] = text.trim().slice('U+'.length).split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}
