import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildCommandAs, findClosedFolder } from './postgres-user.ts'

const stranger = { uid: 54_321, gid: 54_321 }
const owner = { uid: process.getuid!(), gid: process.getgid!() }

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'velour-user-'))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'home/velour/data'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('finds the first folder of a path that a user may not enter', () => {
  const data = join(folder, 'home/velour/data')
  expect(findClosedFolder(data, stranger)).toBe(null)
  chmodSync(join(folder, 'home'), 0o700)
  chmodSync(join(folder, 'home/velour'), 0o700)
  expect(findClosedFolder(data, stranger)).toBe(join(folder, 'home'))
  expect(findClosedFolder(data, owner)).toBe(null)
  chmodSync(join(folder, 'home'), 0o710)
  expect(findClosedFolder(data, { ...stranger, gid: owner.gid })).toBe(join(folder, 'home/velour'))
})

test('runs a program as another user, with a capability only if a folder is closed to that user', () => {
  const args = ['-D', '/data']
  expect(buildCommandAs(null, 'postgres', args)).toEqual({ program: 'postgres', args, options: {} })
  const open = buildCommandAs({ uid: 7, gid: 8, capability: null }, 'postgres', args)
  expect(open).toEqual({ program: 'postgres', args, options: { uid: 7, gid: 8 } })
  const closed = buildCommandAs({ uid: 7, gid: 8, capability: 'dac_read_search' }, 'postgres', args)
  expect(closed.program).toBe('/usr/bin/setpriv')
  expect(closed.args).toEqual([
    '--reuid=7',
    '--regid=8',
    '--clear-groups',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    'postgres',
    ...args,
  ])
})
