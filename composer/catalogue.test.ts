import { describe, expect, test } from 'vitest'
import { composeTrack } from './composition/compose-track.ts'
import catalogue from './catalogue.json' with { type: 'json' }
import { songs } from './catalogue.ts'

const slugs = songs.map(({ slug }) => slug)
const categories = catalogue.categories.map(({ category }) => category)

test('has twenty songs with distinct names', () => {
  expect(songs).toHaveLength(20)
  expect(new Set(slugs).size).toBe(20)
  expect(new Set(songs.map(({ title }) => title)).size).toBe(20)
  for (const slug of slugs) expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/)
})

test('contains one short song per category, in the first entries', () => {
  const first = songs.slice(0, categories.length)
  expect(first.map(({ category }) => category).toSorted()).toEqual(categories.toSorted())
  for (const track of first) expect(track.duration_seconds).toBeLessThanOrEqual(75)
})

test('gives every song a genre of its category', () => {
  for (const track of songs) {
    expect(track.duration_seconds).toBeGreaterThanOrEqual(60)
    expect(track.duration_seconds).toBeLessThanOrEqual(180)
    expect(categories).toContain(track.category)
    expect(catalogue.genres).toContain(track.genre)
    expect(track.tags.length).toBeGreaterThanOrEqual(2)
    expect(track.tags.length).toBeLessThanOrEqual(4)
  }
})

test('songs of one mood have different keys or leads', () => {
  const faces = songs.map((track) => {
    const { seed, mood, tempo, duration_seconds: durationSeconds } = track
    const song = composeTrack({ seed, mood, tempo, durationSeconds })
    const lead = song.parts.find(({ name }) => name === 'lead')
    return `${mood} ${song.key} ${lead?.instrument}`
  })
  expect(new Set(faces).size).toBe(songs.length)
})

test('playlists contain existing songs, each once', () => {
  expect(catalogue.playlists).toHaveLength(3)
  for (const { tracks } of catalogue.playlists) {
    expect(new Set(tracks).size).toBe(tracks.length)
    for (const slug of tracks) expect(slugs).toContain(slug)
  }
})

const sung = songs.filter(({ lyrics }) => lyrics !== null)

test('exactly three songs have lyrics', () => expect(sung).toHaveLength(3))

describe.each(sung)('lyrics of $title', (track) => {
  const { seed, mood, tempo, duration_seconds: durationSeconds } = track
  const song = composeTrack({ seed, mood, tempo, durationSeconds })
  const lines = (track.lyrics ?? '').trimEnd().split('\n')
  const times = lines.map((line) => {
    const match = /^\[(\d\d):(\d\d\.\d\d)\]\S.+$/.exec(line)
    return match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN
  })

  test('are valid LRC in order', () => {
    for (const time of times) expect(time).not.toBeNaN()
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
  })

  test('begin where the lead begins a phrase', () => {
    const leads = song.parts.filter(({ name }) => ['lead', 'verse lead', 'soprano'].includes(name))
    const starts = leads.flatMap(({ notes }) => notes.map(({ beat }) => (beat * 60) / song.tempo))
    for (const time of times) {
      expect(Math.min(...starts.map((start) => Math.abs(start - time)))).toBeLessThan(0.02)
    }
  })
})
