import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { findCategoryAndGenre } from './demo-catalogue.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a song is created without a category or genre that the owner has deleted', async () => {
  const { query } = database.db
  await query
    .insertInto('category_metadata')
    .values({ category: 'focus', display_name: 'Focus' })
    .execute()
  await query.insertInto('genres').values({ name: 'Ambient' }).execute()
  const song = { category: 'focus', genre: 'Ambient' }
  expect(await findCategoryAndGenre(database.db, song)).toEqual(song)
  await query.deleteFrom('category_metadata').execute()
  expect(await findCategoryAndGenre(database.db, song)).toEqual({
    category: null,
    genre: 'Ambient',
  })
  await query.deleteFrom('genres').execute()
  expect(await findCategoryAndGenre(database.db, song)).toEqual({ category: null, genre: null })
})
