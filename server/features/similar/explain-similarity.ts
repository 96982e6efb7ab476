// Says in words why two tracks are similar, from what listeners can check: tags, tempo, key.
import { signals } from './compare-tracks.ts'
import { keySteps, tempoOctaves } from './sound-distance.ts'

export interface Explained {
  genre: string | null
  category: string | null
  tags: readonly string[]
  tempo: number | null
  key: number | null
  is_minor: boolean | null
}

const mostWords = 3
/** 5 %. */
const sameTempoOctaves = Math.log2(1.05)

/** `same mood: dark ambient, 84 BPM`. `signal` is what counted most. */
export function explainSimilarity(track: Explained, other: Explained, signal: number): string {
  const parts: string[] = []
  const words = sharedWords(track, other)
  if (signal === signals.listening) parts.push('often played together')
  if (words.length > 0) parts.push(`same mood: ${words.join(', ')}`)
  else if (signal === signals.sound) parts.push('similar sound')
  else if (signal === signals.words) parts.push('described alike')
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

function sharedWords(track: Explained, other: Explained): string[] {
  const words: string[] = []
  const add = (word: string) => {
    const isNew = !words.some((known) => known.toLowerCase() === word.toLowerCase())
    if (isNew && words.length < mostWords) words.push(word)
  }
  if (track.genre !== null && track.genre === other.genre) add(track.genre)
  const tags = new Set(other.tags.map((tag) => tag.toLowerCase()))
  for (const tag of track.tags) if (tags.has(tag.toLowerCase())) add(tag)
  if (words.length === 0 && track.category !== null && track.category === other.category) {
    add(track.category)
  }
  return words
}
