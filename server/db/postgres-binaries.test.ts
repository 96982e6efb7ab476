import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkLibraries } from './postgres-binaries.ts'

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

test('links the libraries in place, once, whoever else is doing it', async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, () => linkLibraries(packageFolder, spareFolder)),
  )
  expect(results).toEqual(Array(8).fill(null))
  expect(readlinkSync(link)).toBe('libpq.so.5.18')
  expect(existsSync(spareFolder)).toBe(false)
})

test('links them elsewhere when the package folder is read-only', () => {
  mkdirSync(join(folder, 'spare'))
  chmodSync(folder, 0o755)
  chmodSync(join(packageFolder, 'native/lib'), 0o555)
  // Nothing is read-only to root, so an ordinary user does it.
  if (isRoot) chownSync(join(folder, 'spare'), nobody, nobody)
  const program = `
    const { linkLibraries } = await import(process.argv[1])
    process.stdout.write(String(await linkLibraries(process.argv[2], process.argv[3])))`
  const module = join(import.meta.dirname, 'postgres-binaries.ts')
  const output = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', program, module, packageFolder, spareFolder],
    { encoding: 'utf8', ...(isRoot ? { uid: nobody, gid: nobody } : {}) },
  )
  expect(output).toBe(spareFolder)
  expect(existsSync(link)).toBe(false)
  expect(readFileSync(join(spareFolder, 'libpq.so.5'), 'utf8')).toBe('library')
})
