// Extracts the words that describe a track, as hashes with weights. Genre, tags, moods and categories have the highest
// weights. The words of the lyrics are weighted separately.

export interface DescribedTrack {
  genre: string | null
  categories: readonly string[]
  moods: readonly string[]
  tags: readonly string[]
  description: string | null
  lyrics: string | null
}

const weights = { genre: 3, tag: 2.5, mood: 2.5, category: 2, description: 1, lyrics: 0.4 }
const maxDescriptionWords = 40
const maxLyricsWords = 24
const lyricsCharacters = 8000
const minWordLength = 3
/**
 * Frequent English words, which are ignored. Other frequent words get a low weight from their frequency in the
 * catalogue.
 */
const stopWords = new Set(
  `about after all also and any are but can could did does each for from had has have her hers him his how into its just
  like made make more most not now off one only other our out over own she should some such than that the their them then
  there these they this those through too track song music under until very was were what when where which while who why
  will with would you your yours`.split(/\s+/),
)

/** Splits text into lower-case words without accents, which are then hashed. */
function splitWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

const isWord = (token: string) =>
  token.length >= minWordLength && !stopWords.has(token) && !/^\d+$/.test(token)

/**
 * Maps the hash of each word of a track to its weight, before it is adjusted for the word's frequency in the catalogue.
 */
export function extractWords(track: DescribedTrack): Map<number, number> {
  const words = new Map<number, number>()
  const add = (word: string, weight: number) => {
    const hash = hashText(word)
    words.set(hash, Math.max(words.get(hash) ?? 0, weight))
  }
  /** A name of several words is added both as a whole and word by word. */
  const addName = (name: string, weight: number) => {
    const tokens = splitWords(name)
    if (tokens.length > 1) add(tokens.join(' '), weight)
    for (const token of tokens.filter(isWord)) add(token, tokens.length > 1 ? weight / 2 : weight)
  }
  const described = splitWords(track.description ?? '').filter(isWord)
  for (const word of [...new Set(described)].slice(0, maxDescriptionWords)) {
    add(word, weights.description)
  }
  for (const tag of track.tags) addName(tag, weights.tag)
  for (const category of track.categories) addName(category, weights.category)
  for (const mood of track.moods) addName(mood, weights.mood)
  if (track.genre) addName(track.genre, weights.genre)
  for (const [word, count] of findFrequentLyrics(track.lyrics)) {
    add(`lyrics ${word}`, weights.lyrics * Math.log2(1 + count))
  }
  return words
}

function findFrequentLyrics(lyrics: string | null): [string, number][] {
  const counts = new Map<string, number>()
  // Remove LRC timestamps.
  const text = (lyrics ?? '').slice(0, lyricsCharacters).replaceAll(/\[[^\]]*\]/g, ' ')
  for (const word of splitWords(text).filter(isWord)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, maxLyricsWords)
}

/** Hashes a text with FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

const wordBytes = 8

/** Encodes the hash and weight of each word as little-endian bytes for storage. */
export function encodeWords(words: ReadonlyMap<number, number>): Buffer {
  const bytes = Buffer.alloc(words.size * wordBytes)
  let at = 0
  for (const [hash, weight] of words) {
    bytes.writeUInt32LE(hash, at)
    bytes.writeFloatLE(weight, at + 4)
    at += wordBytes
  }
  return bytes
}

export function decodeWords(bytes: Buffer, take: (hash: number, weight: number) => void): void {
  for (let at = 0; at + wordBytes <= bytes.length; at += wordBytes) {
    take(bytes.readUInt32LE(at), bytes.readFloatLE(at + 4))
  }
}

/**
 * A key that is equal for all recordings of one piece: "Night Drive", "Night Drive (Remix)" and "Night Drive - v2" by
 * the same artist. A list shows only one of them.
 */
export function getPieceKey(artist: string, title: string): string {
  const bare = title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ').replace(/\s[-–—]\s.*$/, ' ')
  const tokens = splitWords(bare)
  const suffix = /^(?:v\d+|remix|version|edit|mix|live|instrumental|demo|remaster(?:ed)?|take|alt)$/
  while (tokens.length > 1 && suffix.test(tokens.at(-1)!)) tokens.pop()
  const name = tokens.length > 0 ? tokens : splitWords(title)
  return `${splitWords(artist).join(' ')}\n${name.join(' ')}`
}
