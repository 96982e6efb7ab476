import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockNames, sessionLocks, triggerLocks } from './advisory-locks.ts'

const server = join(import.meta.dirname, '../..')
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.(?:test|scale|security)\.ts$|^testing\//.test(file),
)

test('no two locks share a number or a name', () => {
  const numbers = Object.values({ ...sessionLocks, ...triggerLocks })
  expect(new Set(numbers).size).toBe(numbers.length)
  const names = Object.values(lockNames).map((nameOf) => nameOf('x'))
  expect(new Set(names).size).toBe(names.length)
})

test('numbers and names are unchanged since their release, as upgrades require', () => {
  expect(sessionLocks).toEqual({
    migrate: 8356871001,
    keepObjects: 8356871002,
    rollUpInsights: 8356871006,
    backupTarget: 8356871075,
  })
  expect(lockNames.plays('a')).toBe('plays a')
  expect(lockNames.keptTracks('a')).toBe('kept a')
  expect(lockNames.customer('a')).toBe('customer a')
  expect(lockNames.charge('a')).toBe('charge a')
  expect(lockNames.recording('a')).toBe('a')
})

test('the register contains the number of each lock that migrations take', () => {
  const folder = join(import.meta.dirname, 'migrations')
  const sql = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const taken = [...sql.matchAll(/pg_advisory_\w+\((\d+)\)/g)].map(([, number]) => Number(number))
  expect(new Set(taken)).toEqual(new Set(Object.values(triggerLocks)))
})

test('every advisory lock in the code uses a number or name from the register', () => {
  const calls = sources.flatMap((file) => {
    const text = readFileSync(join(server, file), 'utf8')
    return [...text.matchAll(/pg_\w*advisory\w*\(([^\n]*)/g)].map(([, rest = '']) => ({
      file,
      text,
      rest,
    }))
  })
  expect(calls.length).toBeGreaterThan(5)
  const others = calls.filter(
    ({ file, text, rest }) =>
      file !== 'platform/db/advisory-locks.ts' &&
      !(
        /^\$(?:1\)|\{(?:session|trigger)Locks\.)/.test(rest) &&
        /(?:session|trigger)Locks\./.test(text)
      ),
  )
  expect(others.map(({ file }) => file)).toEqual([])
})
