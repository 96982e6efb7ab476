// docs/data-model.md must describe every table and trigger of the migrations.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'data-model.md'), 'utf8')
const folder = join(root, 'server/platform/db/migrations')
const schema = readdirSync(folder)
  .toSorted()
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name)

test('every table has a row, and every row belongs to a table', () => {
  const dropped = new Set(namesIn(schema, /^drop table (?:if exists )?(\w+)/gm))
  const tables = namesIn(schema, /^create (?:unlogged )?table (\w+)/gm)
  const cells = namesIn(page, /^\| (`.+?) \|/gm).join(' ')
  const described = namesIn(cells, /`(\w+)`/g)
  const existing = new Set(tables.filter((name) => !dropped.has(name)))
  expect(new Set(described)).toEqual(existing)
  expect(described).toHaveLength(existing.size)
})

test('every trigger is described', () => {
  const renamed = new Map(
    [...schema.matchAll(/^alter trigger (\w+) on \w+ rename to (\w+)/gm)].map(([, from, to]) => [
      from,
      to,
    ]),
  )
  const created = namesIn(schema, /^create (?:or replace )?trigger (\w+)/gm)
  const triggers = new Set(created.map((name) => renamed.get(name) ?? name))
  expect([...triggers].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
