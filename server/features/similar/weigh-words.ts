// Weights words by how few tracks contain them. The results are stored in arrays for fast loops.
import { decodeWords } from './track-words.ts'

export interface WeighedWords {
  starts: Uint32Array
  wordOf: Uint32Array
  weights: Float32Array
  wordCount: number
}

/**
 * Computes TF-IDF weights: the fewer tracks contain a word, the higher its weight. The weights of a track have norm 1.
 */
export function weighWords(tracks: readonly { words: Buffer | null }[]): WeighedWords {
  const numbers = new Map<number, number>()
  const total = tracks.reduce((sum, { words }) => sum + (words?.length ?? 0) / 8, 0)
  const wordOf = new Uint32Array(total)
  const weights = new Float32Array(total)
  const starts = new Uint32Array(tracks.length + 1)
  const counts: number[] = []
  let at = 0
  for (const [row, { words }] of tracks.entries()) {
    if (words) {
      decodeWords(words, (hash, weight) => {
        let word = numbers.get(hash)
        if (word === undefined) {
          word = numbers.size
          numbers.set(hash, word)
          counts.push(0)
        }
        counts[word]! += 1
        wordOf[at] = word
        weights[at] = weight
        at += 1
      })
    }
    starts[row + 1] = at
  }
  for (let row = 0; row < tracks.length; row += 1) {
    let squares = 0
    for (let i = starts[row]!; i < starts[row + 1]!; i += 1) {
      weights[i]! *= Math.log(1 + tracks.length / counts[wordOf[i]!]!)
      squares += weights[i]! ** 2
    }
    const length = Math.sqrt(squares) || 1
    for (let i = starts[row]!; i < starts[row + 1]!; i += 1) weights[i]! /= length
  }
  return { starts, wordOf, weights, wordCount: numbers.size }
}

/** Builds the inverted index: for each word, the tracks that contain it. */
export function invertWords(
  { starts, wordOf, weights, wordCount }: WeighedWords,
  trackCount: number,
) {
  const ends = new Uint32Array(wordCount + 1)
  for (const word of wordOf) ends[word + 1]! += 1
  for (let word = 0; word < wordCount; word += 1) ends[word + 1]! += ends[word]!
  const next = ends.slice()
  const trackOf = new Uint32Array(wordOf.length)
  const inverted = new Float32Array(wordOf.length)
  for (let row = 0; row < trackCount; row += 1) {
    for (let i = starts[row]!; i < starts[row + 1]!; i += 1) {
      const place = next[wordOf[i]!]!
      next[wordOf[i]!] = place + 1
      trackOf[place] = row
      inverted[place] = weights[i]!
    }
  }
  return { starts: ends, trackOf, weights: inverted }
}
