// The oldest supported browsers are declared in package.json. All other files that name them must name the same
// versions.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path) => readFileSync(join(root, path), 'utf8')
const { browserslist } = JSON.parse(read('package.json'))
const versions = Object.fromEntries(browserslist.map((entry) => entry.split(' >= ')))
const sources = ['web', 'contract'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|fixture|^testing\//.test(path))
    .map((path) => join(folder, path)),
)

test('the build targets the declared browsers', async () => {
  const { default: config } = await import('../vite.config.ts')
  expect(config.build.target).toEqual([
    `chrome${versions.chrome}`,
    `edge${versions.edge}`,
    `firefox${versions.firefox}`,
    `safari${versions.safari}`,
    `ios${versions.ios_saf}`,
  ])
})

test.each(['web/index.html', 'README.md', 'docs/decisions/0006-components-on-the-platform.md'])(
  '%s names the declared browsers',
  (path) => {
    const { chrome, edge, firefox, safari, ios_saf } = versions
    expect(edge).toBe(chrome)
    expect(ios_saf).toBe(safari)
    const text = read(path).replaceAll(/\s+/g, ' ')
    expect(text).toContain(
      `Chrome and Edge from version ${chrome}, Firefox from ${firefox}, and Safari from ${safari}`,
    )
  },
)

test('no source uses a function that the oldest browsers lack', () => {
  // Functions that the oldest supported browsers lack, each with the newest browser version that was needed to
  // support it.
  const newer = {
    'Promise.withResolvers (Chrome 119)': /Promise\.withResolvers/,
    'Object.groupBy (Chrome 117)': /(?:Object|Map)\.groupBy/,
    'Array.fromAsync (Chrome 121)': /Array\.fromAsync/,
    'URL.canParse (Chrome 120)': /URL\.canParse/,
    'URL.parse (Chrome 126)': /URL\.parse/,
    'Promise.try (Safari 18.2)': /Promise\.try\b/,
    'RegExp.escape (Chrome 136)': /RegExp\.escape/,
    'Set methods (Firefox 127)':
      /(?<!\bz\s*)\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|union|intersection|difference)\(/,
    'Iterator helpers (Safari 18.4)':
      /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|take|drop|some|every|find|reduce|toArray|forEach|flatMap)\(/,
    'Iterator (Safari 18.4)': /\bIterator\.(?:from|concat)/,
    'Intl.DurationFormat (Firefox 136)': /Intl\.DurationFormat/,
    'Uint8Array and base64 (Chrome 140)': /\.(?:toBase64|fromBase64|toHex|fromHex)\(/,
    'view transitions (Firefox 144)': /startViewTransition/,
    'moveBefore (Chrome 133)': /\.moveBefore\(/,
    'scheduler (Safari: none)': /\bscheduler\.(?:yield|postTask)/,
  }
  const found = sources.flatMap((path) => {
    const text = read(path).replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
    return Object.entries(newer)
      .filter(([, pattern]) => pattern.test(text))
      .map(([name]) => `${path}: ${name}`)
  })
  expect(sources.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})
