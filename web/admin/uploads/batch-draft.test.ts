import { expect, test } from 'vitest'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import {
  collectFoundGenres,
  findRowProblems,
  splitIntoRequests,
  setFields,
  getRowValues,
  removeSavedChanges,
  withCategory,
  withFirstCategory,
  withMood,
  withTag,
  type Draft,
} from './batch-draft.ts'
import { makeImportedTrack } from '../../testing/imported-track-fixture.ts'

const nothing: Draft = new Map()
let count = 0
const track = (changes: Partial<ImportedTrack> = {}) =>
  makeImportedTrack({ id: `track-${++count}`, ...changes })

test('stores only fields that differ from the saved ones, and drops a field that is set back', () => {
  const [one, two] = [track(), track({ artist: 'Bob' })]
  const draft = setFields(nothing, [one, two], () => ({ artist: 'Bob', explicit: true }))
  expect(draft.get(one.id)).toEqual({ artist: 'Bob', explicit: true })
  expect(draft.get(two.id)).toEqual({ explicit: true })
  const back = setFields(draft, [one, two], () => ({ artist: 'Ada', explicit: false }))
  expect([back.has(one.id), back.get(two.id)]).toEqual([false, { artist: 'Ada' }])
  expect(getRowValues(two, back).artist).toBe('Ada')
})

test('shows a track as published if it will be published after processing', () => {
  const soon = track({ publish_when_ready: true, processing_status: 'pending' })
  expect(setFields(nothing, [soon], () => ({ is_published: true })).size).toBe(0)
})

test('adds a tag only once, up to thirty tags', () => {
  const [one, full] = [
    track({ tags: ['Calm'] }),
    track({ tags: Array.from({ length: 30 }, String) }),
  ]
  const draft = setFields(nothing, [one, full], (values) => withTag(values, 'calm'))
  expect(draft.size).toBe(0)
  const more = setFields(nothing, [one, full], (values) => withTag(values, 'night'))
  expect([...more.values()]).toEqual([{ tags: ['Calm', 'night'] }])
})

test('splits a save into as few requests as the limits of the server allow', () => {
  const many = Array.from({ length: 1100 }, () => track())
  const draft = setFields(nothing, many, () => ({ title: '  New  ' }))
  const requests = splitIntoRequests(draft)
  expect(requests.map(({ length }) => length)).toEqual([500, 500, 100])
  expect(requests[0]?.[0]).toEqual({ id: many[0]?.id, title: 'New' })
  const long = setFields(nothing, many, () => ({
    tags: Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(50, 'ü')),
  }))
  for (const changes of splitIntoRequests(long)) {
    expect(new TextEncoder().encode(JSON.stringify({ changes })).length).toBeLessThan(1_000_000)
  }
})

test('keeps fields that are changed again while they are saved', () => {
  const [one, two] = [track(), track()]
  const saved = setFields(nothing, [one, two], () => ({ title: 'A' }))
  const meanwhile = setFields(saved, [two], () => ({ title: 'B' }))
  expect([...removeSavedChanges(meanwhile, saved).keys()]).toEqual([two.id])
})

test('reports an empty title as an error of its field', () => {
  expect(findRowProblems({ ...getRowValues(track(), nothing), title: ' ' })).toEqual({
    title: 'Title is required',
  })
})

test('groups genres of the files case-insensitively', () => {
  const tracks = [
    track({ found_genre: 'Dream Pop' }),
    track({ found_genre: 'vaporwave' }),
    track({ found_genre: 'Vaporwave' }),
    track({ found_genre: 'Vaporwave', genre: 'Soul' }),
    track(),
  ]
  const groups = collectFoundGenres(tracks, nothing, ['Soul', 'VAPORWAVE'])
  expect(groups.map((group) => [group.name, group.tracks.length])).toEqual([
    ['VAPORWAVE', 2],
    ['Dream Pop', 1],
  ])
  const draft = setFields(nothing, tracks, () => ({ genre: 'Soul' }))
  expect(collectFoundGenres(tracks, draft, ['Soul'])).toEqual([])
})

test('replaces the first category, adds others, and sends both fields for categories', () => {
  const one = track({ category: 'focus', categories: ['focus', 'sleep'], moods: ['calm'] })
  const first = setFields(nothing, [one], (values) => withFirstCategory(values, 'sleep'))
  expect(first.get(one.id)).toEqual({ categories: ['sleep'] })
  const added = setFields(first, [one], (values) => withCategory(values, 'study'))
  const both = setFields(added, [one], (values) => withMood(values, 'Hopeful'))
  expect(setFields(both, [one], (values) => withMood(values, 'CALM'))).toEqual(both)
  expect(splitIntoRequests(both)).toEqual([
    [
      {
        id: one.id,
        category: 'sleep',
        categories: ['sleep', 'study'],
        moods: ['calm', 'Hopeful'],
      },
    ],
  ])
  const none = setFields(nothing, [one], (values) => withFirstCategory(values, null))
  expect(splitIntoRequests(none)).toEqual([[{ id: one.id, category: null, categories: [] }]])
  // A server of the previous version sends only the first category.
  const { categories: _, moods: __, ...old } = one
  expect(getRowValues(old as typeof one, nothing)).toMatchObject({
    categories: ['focus'],
    moods: [],
  })
})
