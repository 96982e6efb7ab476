// How many of the expected neighbors are found, on a catalogue with known neighbors. Pieces of one style share
// instrument, tempo, mode and rhythm, and differ in melody, key and noise.
import { describe, expect, test } from 'vitest'
import { createSoundCollector } from '../../platform/sound/sound-collector.ts'
import { encodeSoundVector, type SoundFeatures } from '../../platform/sound/sound-features.ts'
import { type ComparedTrack, createTrackComparison } from './compare-tracks.ts'
import { encodeWords, extractWords } from './track-words.ts'
import { createRandom } from '../../testing/seeded-random.ts'

interface Style {
  name: string
  category: string
  tempo: number
  mode: readonly number[]
  partials: readonly number[]
  /** How fast a note fades, per beat. */
  decay: number
  noise: number
  notesPerBeat: number
}

const major = [0, 2, 4, 5, 7, 9, 11]
const minor = [0, 2, 3, 5, 7, 8, 10]
const soft = [1, 0.2, 0.05]
const bright = [1, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2]
const hollow = [1, 0, 0.5, 0, 0.3, 0, 0.2]

const style = (
  name: string,
  category: string,
  tempo: number,
  mode: readonly number[],
  sound: Pick<Style, 'partials' | 'decay' | 'noise' | 'notesPerBeat'>,
): Style => ({ name, category, tempo, mode, ...sound })

const styles: Style[] = [
  style('pads', 'calm', 64, major, { partials: soft, decay: 0.5, noise: 0, notesPerBeat: 0.5 }),
  style('piano', 'calm', 76, minor, { partials: soft, decay: 4, noise: 0, notesPerBeat: 2 }),
  style('drone', 'calm', 58, minor, {
    partials: hollow,
    decay: 0.3,
    noise: 0.02,
    notesPerBeat: 0.25,
  }),
  style('rain', 'calm', 84, major, { partials: soft, decay: 2, noise: 0.2, notesPerBeat: 1 }),
  style('house', 'energy', 124, minor, {
    partials: bright,
    decay: 6,
    noise: 0.05,
    notesPerBeat: 2,
  }),
  style('march', 'energy', 112, major, {
    partials: bright,
    decay: 2,
    noise: 0.15,
    notesPerBeat: 1,
  }),
  style('arpeggio', 'energy', 138, minor, {
    partials: hollow,
    decay: 8,
    noise: 0,
    notesPerBeat: 4,
  }),
  style('anthem', 'energy', 98, major, {
    partials: bright,
    decay: 0.6,
    noise: 0.02,
    notesPerBeat: 1,
  }),
]
const perStyle = 11
const rate = 22_050
const seconds = 14

function playPiece(style: Style, seed: number): SoundFeatures {
  const random = createRandom(seed)
  const tonic = 48 + Math.floor(random() * 12)
  const samples = new Int16Array(2 * seconds * rate)
  const noteSeconds = 60 / (style.tempo * style.notesPerBeat)
  let begun = -1
  let hertz = 0
  for (let i = 0; i < seconds * rate; i += 1) {
    const time = i / rate
    const note = Math.floor(time / noteSeconds)
    if (note !== begun) {
      begun = note
      const step = random() < 0.3 ? 0 : Math.floor(random() * style.mode.length)
      const octave = random() < 0.5 ? 0 : 12
      hertz = 440 * 2 ** ((tonic + octave + style.mode[step]! - 69) / 12)
    }
    const inNote = time - note * noteSeconds
    const fade = Math.exp((-style.decay * inNote * style.tempo) / 60) * Math.min(1, inNote * 200)
    let value = style.noise * (random() - 0.5)
    for (const [at, strength] of style.partials.entries()) {
      if (strength > 0)
        value += 0.2 * strength * fade * Math.sin(2 * Math.PI * hertz * (at + 1) * time)
    }
    samples[2 * i] = samples[2 * i + 1] = Math.max(-32_768, Math.min(32_767, value * 24_000))
  }
  const collector = createSoundCollector(rate)
  collector.add(samples)
  return collector.finish()!
}

interface Piece extends ComparedTrack {
  style: Style
}

const makePiece = (style: Style, number: number): Piece => {
  const sound = playPiece(style, 1000 * styles.indexOf(style) + number)
  return {
    id: `${style.name} ${number}`,
    style,
    title: `${style.name} ${number}`,
    artist: `Artist ${number}`,
    words: null,
    vector: encodeSoundVector(sound.vector),
    tempo: sound.tempo,
    key: sound.key,
    is_minor: sound.isMinor,
  }
}

/** The share of the ten expected neighbors that are among the ten nearest tracks. */
function recall(pieces: readonly Piece[]): number {
  const comparison = createTrackComparison(pieces)
  const styleOf = new Map(pieces.map(({ id, style }) => [id, style]))
  let right = 0
  for (const { id, style } of pieces) {
    const nearest = comparison.nearest(id, 10)
    right += nearest.filter((neighbor) => styleOf.get(neighbor.id) === style).length
  }
  return right / (pieces.length * (perStyle - 1))
}

const pieces = styles.flatMap((style) =>
  Array.from({ length: perStyle }, (_, number) => makePiece(style, number)),
)
/** The recall of random tracks from the same category, which contains four styles. */
const randomWithinCategory = (perStyle - 1) / (4 * perStyle - 1)

describe('recall of the ten nearest', () => {
  test('is at least 0.8 by sound alone, and at least twice that of random tracks in the category', () => {
    const found = recall(pieces)
    expect(found).toBeGreaterThanOrEqual(0.8)
    expect(found).toBeGreaterThanOrEqual(2 * randomWithinCategory)
  })

  test('is at least 0.8 by words (text fields) alone', () => {
    const moods = [
      'warm hazy',
      'lonely keys',
      'endless dark',
      'wet streets',
      'club night',
      'brass parade',
      'neon grid',
      'stadium choir',
    ]
    const described = pieces.map((piece, at) => {
      const random = createRandom(at)
      const noise = Array.from({ length: 6 }, () => `word${Math.floor(random() * 60)}`).join(' ')
      const mood = moods[styles.indexOf(piece.style)]!
      const track = {
        genre: null,
        categories: [piece.style.category],
        moods: [],
        tags: [mood.split(' ')[0]!],
        description: `${mood} ${noise}`,
        lyrics: null,
      }
      return { ...piece, vector: null, words: encodeWords(extractWords(track)) }
    })
    expect(recall(described)).toBeGreaterThanOrEqual(0.8)
  })

  test('is at least 0.8 if only some pieces have words', () => {
    const mixed = pieces.map((piece, at) => {
      const { name: genre, category } = piece.style
      const words = encodeWords(
        extractWords({
          genre,
          categories: [category],
          moods: [],
          tags: [],
          description: null,
          lyrics: null,
        }),
      )
      return at % 3 === 0 ? { ...piece, words } : piece
    })
    expect(recall(mixed)).toBeGreaterThanOrEqual(0.8)
  })
})

test('lists one recording per piece, and no other recording of the piece itself', () => {
  const [first, ...others] = pieces
  const copies = [
    { ...first!, id: 'copy' },
    { ...others[0]!, id: 'remix', title: `${others[0]!.title} (Remix)`, tempo: 91 },
    { ...others[0]!, id: 'live', title: `${others[0]!.title} - live`, key: 1 },
  ]
  const comparison = createTrackComparison([...pieces, ...copies])
  const nearest = comparison.nearest(first!.id, 200)
  expect(nearest.map(({ id }) => id)).not.toContain('copy')
  const listed = comparison.collapse(nearest, 50).map(({ id }) => id)
  expect(listed).toHaveLength(50)
  expect(listed.filter((id) => ['remix', 'live', others[0]!.id].includes(id))).toHaveLength(1)
})

test('tracks that are often played together get a higher similarity', () => {
  const [first] = pieces
  const comparison = createTrackComparison(pieces)
  const placeOf = (confidence: number) =>
    comparison
      .nearest(first!.id, 88, new Map([['house 3', { similarity: 1, confidence }]]))
      .findIndex(({ id }) => id === 'house 3')
  expect(placeOf(0.9)).toBeLessThan(placeOf(0.1))
  expect(placeOf(0.1)).toBeLessThanOrEqual(placeOf(0))
})
