import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabaseBeside } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'
import { queryAt } from './with-client.ts'

const log = { info() {}, warn() {}, error() {} }

let folder: string
let connectionString: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'velour-migrations-'))
  connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const query = (text: string) => queryAt(connectionString, text)
const run = () => migrate({ connectionString, log, folder })

test('applies each file once, in the order of the names', async () => {
  write('0002_fill.sql', 'insert into log values (2);')
  write('0001_make.sql', 'create table log (n int); insert into log values (1);')
  expect(await run()).toEqual(['0001_make.sql', '0002_fill.sql'])
  write('0003_more.sql', 'insert into log values (3);')
  expect(await run()).toEqual(['0003_more.sql'])
  expect(await run()).toEqual([])
  expect(await query('select n from log')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

test('serializes instances that start concurrently', async () => {
  write('0001_make.sql', 'create table log (n int); select pg_sleep(0.05);')
  write('0002_fill.sql', 'insert into log values (1);')
  const results = await Promise.all(Array.from({ length: 8 }, run))
  const applied = results.filter((names) => names.length > 0)
  expect(applied).toEqual([['0001_make.sql', '0002_fill.sql']])
  expect(await query('select count(*)::int as count from log')).toEqual([{ count: 1 }])
})

test('rolls back a failing file, keeps the migrations before it and names the failing line', async () => {
  write('0001_make.sql', 'create table log (n int);')
  write('0002_wrong.sql', 'insert into log values (1);\n\ninsert into lag values (2);')
  await expect(run()).rejects.toThrow(
    'Migration 0002_wrong.sql failed and was rolled back (line 3): relation "lag" does not exist',
  )
  expect(await query('select name from schema_migrations')).toEqual([{ name: '0001_make.sql' }])
  expect(await query('select n from log')).toEqual([])
})

test('refuses a file that was changed after it was applied', async () => {
  write('0001_make.sql', 'create table log (n int);\n')
  await run()
  write('0001_make.sql', 'create table log (n int);\r\n')
  expect(await run()).toEqual([])
  write('0001_make.sql', 'create table log (n bigint);\n')
  await expect(run()).rejects.toThrow('0001_make.sql was changed after it had been applied')
})

test('starts on a schema to which a newer version added something, and refuses one from which it removed something', async () => {
  write('0001_make.sql', 'create table log (n int);')
  write('0002_newer.sql', 'create table newer (n int);')
  await run()
  unlinkSync(join(folder, '0002_newer.sql'))
  expect(await run()).toEqual([])
  write('0003_contract_newer.sql', 'drop table newer;')
  await run()
  unlinkSync(join(folder, '0003_contract_newer.sql'))
  await expect(run()).rejects.toThrow('(0003_contract_newer.sql is unknown here)')
})

test('refuses names that leave the order ambiguous', async () => {
  write('0001_make.sql', 'select 1;')
  write('0001_other.sql', 'select 1;')
  await expect(run()).rejects.toThrow('number of 0001_other.sql')
  unlinkSync(join(folder, '0001_other.sql'))
  write('2_short.sql', 'select 1;')
  await expect(run()).rejects.toThrow('Migration 2_short.sql is not named NNNN_name.sql')
})

test('migrates an empty database to the schema that the tests use', async () => {
  const names = await migrate({ connectionString, log })
  expect(names[0]).toBe('0001_foundation.sql')
  const tables = await query(`select tablename from pg_tables where schemaname = 'public'`)
  expect(tables.map(({ tablename }) => tablename)).toContain('tracks')
})
