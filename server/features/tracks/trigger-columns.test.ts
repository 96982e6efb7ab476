// Two triggers of the table `tracks` contain a list of columns that is maintained by hand. A missing column causes no
// visible error: members get outdated cached lists, or one editor overwrites another's change. These tests compare both
// lists with the queries and the contract, using the system catalog of the migrated database.
import { sql, type Compilable } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trackFields } from '#contract/admin/admin-tracks.ts'
import { selectCategories } from '../categories/category-operations.ts'
import { queryAt } from '../../platform/db/with-client.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { selectTracks } from './track-query.ts'

const recipe = 'replace the trigger in a new migration: docs/recipes/add-a-track-field.md'
const nobody = '00000000-0000-0000-0000-000000000000'
/** A change of these columns needs no event: an id never changes, and deleting a track also unpublishes it. */
const ignoredColumns = new Set(['id', 'deleted_at'])
/**
 * Contract fields that the version trigger need not compare under their own name. The picture is stored as `cover_id`.
 * Saving credits increments the version separately. Processing writes the duration, which must not make an edit fail.
 * The first category is stored in `category`, the others in `more_categories`.
 */
const storedOtherwise = new Set(['cover_path', 'artists', 'duration', 'categories'])

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

const listOfTracks = () =>
  selectTracks(database.db, nobody).where('t.is_published', '=', true).orderBy('t.created_at')
const listOfCategories = () => selectCategories(database.db, sql`k.is_published`)

/** The columns of `tracks` that a query reads. Creates a view from the query and reads the view's dependencies. */
async function columnsReadBy(query: Compilable): Promise<string[]> {
  const { sql: text, parameters } = query.compile()
  const filled = text.replaceAll(/\$(\d+)/g, (_, n: string) => `'${String(parameters[+n - 1])}'`)
  await database.asOwner(`create view read_columns as ${filled}`)
  const rows = await queryAt<{ name: string }>(
    database.ownerConnectionString,
    `select distinct a.attname as name
       from pg_rewrite w
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where w.ev_class = 'read_columns'::regclass and d.refclassid = 'pg_class'::regclass
        and d.refobjid = 'tracks'::regclass and d.refobjsubid > 0
      order by 1`,
  )
  await database.asOwner('drop view read_columns')
  return rows.map(({ name }) => name)
}

/** The columns that the update triggers of `tracks` compare before they call this function. */
async function columnsComparedFor(triggerFunction: string): Promise<Set<string>> {
  const rows = await queryAt<{ definition: string }>(
    database.ownerConnectionString,
    `select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = 'tracks'::regclass and tgfoid = $1::regproc`,
    [triggerFunction],
  )
  const compared = /old\.(\w+)(?: IS (?:NOT )?NULL)?\)* IS DISTINCT FROM \(*new\.\1\b/gi
  return new Set(
    rows.flatMap(({ definition }) => [...definition.matchAll(compared)].map(([, name]) => name!)),
  )
}

async function columnsWithoutEvent(query: Compilable): Promise<string[]> {
  const compared = await columnsComparedFor('notify_catalogue_change')
  const read = await columnsReadBy(query)
  return read.filter((name) => !ignoredColumns.has(name) && !compared.has(name))
}

test('a change of any column that the track list reads sends a `catalogue` event', async () => {
  expect(await columnsReadBy(listOfTracks())).toContain('is_published')
  expect(await columnsWithoutEvent(listOfTracks()), recipe).toEqual([])
})

test('a change of any column that the category counts depend on sends a `catalogue` event', async () => {
  expect(await columnsReadBy(listOfCategories())).toEqual([])
  const written = await columnsComparedFor('list_track_categories')
  expect([...written].toSorted()).toEqual([
    'category',
    'created_at',
    'is_published',
    'more_categories',
  ])
  const compared = await columnsComparedFor('notify_catalogue_change')
  expect([...written].filter((name) => !compared.has(name))).toEqual([])
})

test('this test detects a column that the list reads but the trigger does not compare', async () => {
  await database.asOwner('alter table tracks add column mood text')
  const withMood = listOfTracks().select(sql<string | null>`t.mood`.as('mood'))
  expect(await columnsWithoutEvent(withMood)).toEqual(['mood'])
  await database.asOwner('alter table tracks drop column mood')
})

test('a change of any field that admins can edit increments the version', async () => {
  const compared = await columnsComparedFor('increment_version')
  expect([...compared]).toEqual(expect.arrayContaining(['cover_id', 'more_categories']))
  const edited = Object.keys(trackFields).filter((name) => !storedOtherwise.has(name))
  expect(
    edited.filter((name) => !compared.has(name)),
    recipe,
  ).toEqual([])
})
