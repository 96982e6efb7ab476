import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPostgresBinaries, linkLibraries } from './postgres-binaries.ts'

const nobody = 65534
const isRoot = process.getuid?.() === 0

let folder: string
let packageFolder: string
let spareFolder: string
let link: string

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'velour-binaries-'))
  packageFolder = join(folder, 'package')
  spareFolder = join(folder, 'spare/lib')
  link = join(packageFolder, 'native/lib/libpq.so.5')
  mkdirSync(join(packageFolder, 'native/lib'), { recursive: true })
  writeFileSync(join(packageFolder, 'native/lib/libpq.so.5.18'), 'library')
  writeFileSync(
    join(packageFolder, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
})
afterEach(() => {
  chmodSync(join(packageFolder, 'native/lib'), 0o755)
  rmSync(folder, { recursive: true })
})

test('creates the library links in the package folder once, even with several processes', async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, () => linkLibraries(packageFolder, spareFolder)),
  )
  expect(results).toEqual(Array(8).fill(null))
  expect(readlinkSync(link)).toBe('libpq.so.5.18')
  expect(existsSync(spareFolder)).toBe(false)
})

/** Evaluates `expression` in a new process, in which `packageFolder` is read-only. */
function evaluateReadOnly(expression: string): string {
  mkdirSync(join(folder, 'spare'))
  chmodSync(folder, 0o755)
  chmodSync(join(packageFolder, 'native/lib'), 0o555)
  // Root can write to read-only folders, so another user runs the process.
  if (isRoot) chownSync(join(folder, 'spare'), nobody, nobody)
  const program = `
    const [file, packageFolder, spareFolder] = process.argv.slice(1)
    const module = await import(file)
    process.stdout.write(String(${expression}))`
  const file = join(import.meta.dirname, 'postgres-binaries.ts')
  return execFileSync(
    process.execPath,
    ['--input-type=module', '-e', program, file, packageFolder, spareFolder],
    { encoding: 'utf8', ...(isRoot ? { uid: nobody, gid: nobody } : {}) },
  )
}

test('creates the library links in another folder when the package folder is read-only', () => {
  const output = evaluateReadOnly('await module.linkLibraries(packageFolder, spareFolder)')
  expect(output).toBe(spareFolder)
  expect(existsSync(link)).toBe(false)
  expect(readFileSync(join(spareFolder, 'libpq.so.5'), 'utf8')).toBe('library')
})

test('with these links, the programs find all their libraries, as in an image owned by another user', async () => {
  const { initdb } = await findPostgresBinaries(spareFolder)
  rmSync(join(packageFolder, 'native'), { recursive: true })
  // The package as published in the registry, without the library links.
  cpSync(dirname(dirname(initdb)), join(packageFolder, 'native'), {
    recursive: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  })
  const output = evaluateReadOnly(`
    await module.findBinariesIn(packageFolder, spareFolder).then(async ({ initdb, env }) => {
      const { execFileSync } = await import('node:child_process')
      return execFileSync(initdb, ['--version'], { env })
    })`)
  expect(output).toMatch(/^initdb \(PostgreSQL\) \d+/)
  expect(existsSync(link)).toBe(false)
})
