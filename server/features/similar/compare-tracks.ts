// Holds all published tracks in memory in a compact format, and compares one track with all others. Runs in a worker
// thread.
import { soundVectorLength } from '../../platform/sound/sound-features.ts'
import { createBestOf } from './best-of.ts'
import {
  keySteps,
  scaleVectors,
  soundSimilarity,
  tempoOctaves,
  vectorDistance,
} from './sound-distance.ts'
import { hashText, getPieceKey } from './track-words.ts'
import { invertWords, weighWords } from './weigh-words.ts'

/** Codes stored for the signal that contributes most to the similarity of two tracks. */
export const signals = { words: 1, sound: 2, listening: 3 } as const

const shares = { words: 0.45, sound: 0.35, listening: 0.2 }
/** Tracks whose sound vectors have a smaller squared distance count as the same recording. */
const sameRecording = 1e-3

export interface ComparedTrack {
  id: string
  title: string
  artist: string
  words: Buffer | null
  vector: Buffer | null
  tempo: number | null
  key: number | null
  is_minor: boolean | null
}

/** By track id: similarity and confidence, each from 0 to 1, of tracks that were played in the same sessions. */
export type ListenedTogether = ReadonlyMap<string, { similarity: number; confidence: number }>

export interface Neighbor {
  id: string
  score: number
  signal: number
}

export interface TrackComparison {
  has: (id: string) => boolean
  /** The `maxCount` most similar tracks, best first, with only one recording of each piece. */
  nearest: (id: string, maxCount: number, listened?: ListenedTogether) => Neighbor[]
  /** Reduces a list to the best recording of each piece. */
  collapse: (neighbors: readonly Neighbor[], maxCount: number) => Neighbor[]
}

export function createTrackComparison(tracks: readonly ComparedTrack[]): TrackComparison {
  const ids = tracks.map(({ id }) => id)
  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const pieces = Uint32Array.from(tracks, ({ artist, title }) =>
    hashText(getPieceKey(artist, title)),
  )
  const words = packWords(tracks)
  const sounds = packSounds(tracks)
  const found = { score: 0, signal: 0 }
  return {
    has: (id) => rowOf.has(id),
    nearest(id, maxCount, listened = new Map()) {
      const row = rowOf.get(id)
      if (row === undefined) return []
      scoreWords(words, row)
      const heap = createBestOf(maxCount)
      const together = new Map(
        [...listened].flatMap(([other, value]) => {
          const at = rowOf.get(other)
          return at === undefined ? [] : [[at, value] as const]
        }),
      )
      for (let other = 0; other < ids.length; other += 1) {
        if (other === row || pieces[other] === pieces[row]) continue
        const listening = together.size > 0 ? together.get(other) : undefined
        compare(words, sounds, row, other, listening, found)
        if (found.score > heap.lowest) heap.add(found.score, other, found.signal)
      }
      return heap
        .sorted()
        .map(({ row: other, score, signal }) => ({ id: ids[other]!, score, signal }))
    },
    collapse(neighbors, maxCount) {
      const seen = new Set<number>()
      const collapsed: Neighbor[] = []
      for (const neighbor of neighbors) {
        const piece = pieces[rowOf.get(neighbor.id)!]!
        if (seen.has(piece)) continue
        seen.add(piece)
        collapsed.push(neighbor)
        if (collapsed.length === maxCount) break
      }
      return collapsed
    },
  }
}

type Words = ReturnType<typeof packWords>
type Sounds = ReturnType<typeof packSounds>

/** Computes the weights of each track's words, and an inverted index from words to tracks. */
function packWords(tracks: readonly ComparedTrack[]) {
  const byTrack = weighWords(tracks)
  const byWord = invertWords(byTrack, tracks.length)
  return { byTrack, byWord, scores: new Float32Array(tracks.length) }
}

function packSounds(tracks: readonly ComparedTrack[]) {
  const vectors = new Float32Array(tracks.length * soundVectorLength)
  const hasSound = Uint8Array.from(tracks, ({ vector }) =>
    vector?.length === soundVectorLength * 4 ? 1 : 0,
  )
  for (const [row, { vector }] of tracks.entries()) {
    if (!vector || !hasSound[row]) continue
    for (let i = 0; i < soundVectorLength; i += 1) {
      vectors[row * soundVectorLength + i] = vector.readFloatLE(i * 4)
    }
  }
  scaleVectors(vectors, hasSound)
  const tempos = Float32Array.from(tracks, ({ tempo }) => tempo ?? 0)
  const keys = Int8Array.from(tracks, ({ key, is_minor }) =>
    key === null ? -1 : key + (is_minor ? 12 : 0),
  )
  return { vectors, hasSound, tempos, keys }
}

/**
 * Compares one track with all others and writes the result to `found`. If a track lacks a signal, the others get more
 * weight.
 */
function compare(
  { byTrack: { starts }, scores }: Words,
  sounds: Sounds,
  row: number,
  other: number,
  listening: { similarity: number; confidence: number } | undefined,
  found: { score: number; signal: number },
): void {
  found.score = 0
  found.signal = 0
  let sum = 0
  let total = 0
  let strongest = 0
  if (starts[row] !== starts[row + 1] && starts[other] !== starts[other + 1]) {
    const part = shares.words * scores[other]!
    sum += part
    total += shares.words
    strongest = part
    found.signal = signals.words
  }
  if (sounds.hasSound[row] && sounds.hasSound[other]) {
    const distance = vectorDistance(sounds.vectors, row, other)
    if (distance < sameRecording) return
    const part = shares.sound * computeSoundSimilarity(sounds, row, other, distance)
    sum += part
    total += shares.sound
    if (part > strongest) {
      strongest = part
      found.signal = signals.sound
    }
  }
  if (listening) {
    const share = shares.listening * listening.confidence
    const part = share * listening.similarity
    sum += part
    total += share
    if (part > strongest) found.signal = signals.listening
  }
  if (total > 0) found.score = sum / total
}

function computeSoundSimilarity(
  { tempos, keys }: Sounds,
  row: number,
  other: number,
  distance: number,
): number {
  const tempo =
    tempos[row]! > 0 && tempos[other]! > 0 ? tempoOctaves(tempos[row]!, tempos[other]!) : null
  const [a, b] = [keys[row]!, keys[other]!]
  const key =
    a < 0 || b < 0
      ? null
      : keySteps({ key: a % 12, isMinor: a >= 12 }, { key: b % 12, isMinor: b >= 12 })
  return soundSimilarity(distance, tempo, key)
}

/** Writes to `scores` the cosine similarity of one track with all tracks that share a word with it. */
function scoreWords({ byTrack, byWord, scores }: Words, row: number): void {
  scores.fill(0)
  const { starts, trackOf, weights } = byWord
  for (let i = byTrack.starts[row]!; i < byTrack.starts[row + 1]!; i += 1) {
    const word = byTrack.wordOf[i]!
    const weight = byTrack.weights[i]!
    const end = starts[word + 1]!
    for (let j = starts[word]!; j < end; j += 1) scores[trackOf[j]!]! += weight * weights[j]!
  }
}
