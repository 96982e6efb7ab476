// Explains why two tracks are similar, by properties that listeners can verify: moods, tags, tempo, key.
import { signals } from './compare-tracks.ts'
import { keySteps, tempoOctaves } from './sound-distance.ts'

export interface ExplainableTrack {
  genre: string | null
  categories: readonly string[]
  moods: readonly string[]
  tags: readonly string[]
  tempo: number | null
  key: number | null
  is_minor: boolean | null
}

const maxWords = 3
/** Two tempos that differ by at most 5 % count as the same. */
const sameTempoOctaves = Math.log2(1.05)

/** Returns a text such as `same mood: dark ambient, 84 BPM`. `signal` is the signal that contributes most. */
export function explainSimilarity(
  track: ExplainableTrack,
  other: ExplainableTrack,
  signal: number,
): string {
  const parts: string[] = []
  const words = findSharedWords(track, other)
  if (signal === signals.listening) parts.push('often played together')
  if (words.length > 0) parts.push(`same mood: ${words.join(', ')}`)
  else if (signal === signals.sound) parts.push('similar sound')
  else if (signal === signals.words) parts.push('similar description')
  if (track.tempo !== null && other.tempo !== null) {
    const isSame = tempoOctaves(track.tempo, other.tempo) <= sameTempoOctaves
    if (isSame) parts.push(`${Math.round(other.tempo)} BPM`)
  }
  if (track.key !== null && other.key !== null && signal === signals.sound) {
    const steps = keySteps(
      { key: track.key, isMinor: track.is_minor ?? false },
      { key: other.key, isMinor: other.is_minor ?? false },
    )
    if (steps === 0) parts.push('same key')
  }
  return parts.join(', ')
}

function findSharedWords(track: ExplainableTrack, other: ExplainableTrack): string[] {
  const words: string[] = []
  const add = (word: string) => {
    const isNew = !words.some((known) => known.toLowerCase() === word.toLowerCase())
    if (isNew && words.length < maxWords) words.push(word)
  }
  const addShared = (own: readonly string[], others: readonly string[]) => {
    const known = new Set(others.map((word) => word.toLowerCase()))
    for (const word of own) if (known.has(word.toLowerCase())) add(word)
  }
  addShared(track.moods, other.moods)
  if (track.genre !== null && track.genre === other.genre) add(track.genre)
  addShared(track.tags, other.tags)
  if (words.length === 0) addShared(track.categories, other.categories)
  return words
}
