// Holds all published tracks in memory, in a layout for comparing one of them with all others. Used in a thread.
import { soundVectorLength } from '../../platform/sound/sound-features.ts'
import { BestOf } from './best-of.ts'
import {
  keySteps,
  scaleVectors,
  soundSimilarity,
  tempoOctaves,
  vectorDistance,
} from './sound-distance.ts'
import { hashText, pieceOf } from './track-words.ts'
import { invertWords, weighWords } from './weigh-words.ts'

/** The strongest signal of a pair, as stored. */
export const signals = { words: 1, sound: 2, listening: 3 } as const

const shares = { words: 0.45, sound: 0.35, listening: 0.2 }
/** Below this squared distance of the vectors two tracks are the same recording. */
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

/** Tracks played in the same sessions: similarity and confidence, each 0 to 1. */
export type ListenedTogether = ReadonlyMap<string, { similarity: number; confidence: number }>

export interface Neighbour {
  id: string
  score: number
  signal: number
}

export class TrackComparison {
  private readonly ids: string[]
  private readonly rowOf: Map<string, number>
  private readonly pieces: Uint32Array
  private readonly vectors: Float32Array
  private readonly hasSound: Uint8Array
  private readonly tempos: Float32Array
  private readonly keys: Int8Array
  /** Word frequencies: weights of each track, and for each word the tracks that have it. */
  private readonly wordStarts: Uint32Array
  private readonly wordOf: Uint32Array
  private readonly wordWeights: Float32Array
  private readonly trackStarts: Uint32Array
  private readonly trackOf: Uint32Array
  private readonly trackWeights: Float32Array
  private readonly wordScores: Float32Array

  constructor(tracks: readonly ComparedTrack[]) {
    const count = tracks.length
    this.ids = tracks.map(({ id }) => id)
    this.rowOf = new Map(this.ids.map((id, row) => [id, row]))
    this.pieces = Uint32Array.from(tracks, ({ artist, title }) => hashText(pieceOf(artist, title)))
    this.vectors = new Float32Array(count * soundVectorLength)
    this.hasSound = Uint8Array.from(tracks, ({ vector }) =>
      vector?.length === soundVectorLength * 4 ? 1 : 0,
    )
    for (const [row, { vector }] of tracks.entries()) {
      if (!vector || !this.hasSound[row]) continue
      for (let i = 0; i < soundVectorLength; i += 1) {
        this.vectors[row * soundVectorLength + i] = vector.readFloatLE(i * 4)
      }
    }
    scaleVectors(this.vectors, this.hasSound)
    this.tempos = Float32Array.from(tracks, ({ tempo }) => tempo ?? 0)
    this.keys = Int8Array.from(tracks, ({ key, is_minor }) =>
      key === null ? -1 : key + (is_minor ? 12 : 0),
    )
    const words = weighWords(tracks)
    this.wordStarts = words.starts
    this.wordOf = words.wordOf
    this.wordWeights = words.weights
    const inverted = invertWords(words, count)
    this.trackStarts = inverted.starts
    this.trackOf = inverted.trackOf
    this.trackWeights = inverted.weights
    this.wordScores = new Float32Array(count)
  }

  has(id: string): boolean {
    return this.rowOf.has(id)
  }

  /** The `most` nearest tracks, best first, without other recordings of the same piece. */
  nearest(id: string, most: number, listened: ListenedTogether = new Map()): Neighbour[] {
    const row = this.rowOf.get(id)
    if (row === undefined) return []
    this.scoreWords(row)
    const heap = new BestOf(most)
    const together = new Map(
      [...listened].flatMap(([other, value]) => {
        const at = this.rowOf.get(other)
        return at === undefined ? [] : [[at, value] as const]
      }),
    )
    for (let other = 0; other < this.ids.length; other += 1) {
      if (other === row || this.pieces[other] === this.pieces[row]) continue
      const listening = together.size > 0 ? together.get(other) : undefined
      const { score, signal } = this.compare(row, other, listening)
      if (score > heap.lowest) heap.add(score, other, signal)
    }
    return heap
      .sorted()
      .map(({ row: other, score, signal }) => ({ id: this.ids[other]!, score, signal }))
  }

  /** Keeps the best recording of each piece. */
  collapse(neighbours: readonly Neighbour[], most: number): Neighbour[] {
    const seen = new Set<number>()
    const kept: Neighbour[] = []
    for (const neighbour of neighbours) {
      const piece = this.pieces[this.rowOf.get(neighbour.id)!]!
      if (seen.has(piece)) continue
      seen.add(piece)
      kept.push(neighbour)
      if (kept.length === most) break
    }
    return kept
  }

  private readonly found = { score: 0, signal: 0 }

  /** A missing signal is left out, and the others get more weight. */
  private compare(
    row: number,
    other: number,
    listening: { similarity: number; confidence: number } | undefined,
  ): { score: number; signal: number } {
    const { found, wordStarts } = this
    found.score = 0
    found.signal = 0
    let sum = 0
    let total = 0
    let strongest = 0
    const hasWords =
      wordStarts[row] !== wordStarts[row + 1] && wordStarts[other] !== wordStarts[other + 1]
    if (hasWords) {
      const part = shares.words * this.wordScores[other]!
      sum += part
      total += shares.words
      strongest = part
      found.signal = signals.words
    }
    if (this.hasSound[row] && this.hasSound[other]) {
      const distance = vectorDistance(this.vectors, row, other)
      if (distance < sameRecording) return found
      const part = shares.sound * this.soundOf(row, other, distance)
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
    return found
  }

  private soundOf(row: number, other: number, distance: number): number {
    const { tempos, keys } = this
    const tempo =
      tempos[row]! > 0 && tempos[other]! > 0 ? tempoOctaves(tempos[row]!, tempos[other]!) : null
    const [a, b] = [keys[row]!, keys[other]!]
    const key =
      a < 0 || b < 0
        ? null
        : keySteps({ key: a % 12, isMinor: a >= 12 }, { key: b % 12, isMinor: b >= 12 })
    return soundSimilarity(distance, tempo, key)
  }

  /** Cosine similarity with all tracks that share a word. */
  private scoreWords(row: number): void {
    const { wordScores, wordStarts, wordOf, wordWeights, trackStarts, trackOf, trackWeights } = this
    wordScores.fill(0)
    for (let i = wordStarts[row]!; i < wordStarts[row + 1]!; i += 1) {
      const word = wordOf[i]!
      const weight = wordWeights[i]!
      const end = trackStarts[word + 1]!
      for (let j = trackStarts[word]!; j < end; j += 1) {
        wordScores[trackOf[j]!]! += weight * trackWeights[j]!
      }
    }
  }
}
