// The demo catalog: twenty songs as seeds. One short song of each category comes first, so that a new service has
// something of every category to play within seconds. A change of the composer changes the songs.

import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { Mood } from './compose-model.ts'
import { demoLyrics } from './demo-lyrics.ts'
import type { DemoGenre } from './demo-shelves.ts'

export { demoCategories, demoGenres, demoPlaylists } from './demo-shelves.ts'

export type DemoTrack = {
  slug: string
  title: string
  artist: string
  category: Mood
  genre: DemoGenre
  description: string
  tags: readonly string[]
  explicit: boolean
  mood: Mood
  seed: number
  duration_seconds: number
  /** Desired beats per minute; by default the mood's own. */
  tempo?: number
  ai_disclosure: AiDisclosure
  ai_tool: string
  credits: string
  /** LRC. */
  lyrics: string | null
}

type Song = Omit<DemoTrack, 'category' | 'explicit' | 'ai_tool' | 'credits' | 'lyrics'> &
  Partial<Pick<DemoTrack, 'lyrics'>>

const songs: readonly Song[] = [
  {
    slug: 'glass-harbour',
    title: 'Glass Harbour',
    artist: 'Velour',
    mood: 'focus',
    genre: 'Ambient',
    description: 'A vibraphone over still water; the boats do not move, and neither do you.',
    tags: ['calm', 'vibraphone', 'instrumental'],
    seed: 10,
    duration_seconds: 66,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'stay-for-the-rain',
    title: 'Stay for the Rain',
    artist: 'Ida Sorrel',
    mood: 'romantic-chill',
    genre: 'R&B',
    description: 'Nylon strings and a slow beat for the hour in which nobody wants to leave.',
    tags: ['slow', 'guitar', 'late night'],
    seed: 2,
    duration_seconds: 75,
    ai_disclosure: 'ai_assisted',
    lyrics: demoLyrics['stay-for-the-rain'],
  },
  {
    slug: 'redline-sunrise',
    title: 'Redline Sunrise',
    artist: 'Marlow Vane',
    mood: 'workout',
    genre: 'Synthwave',
    description: 'The first minute of a run, when the street is still empty and the bass is not.',
    tags: ['running', 'synth', 'high energy'],
    seed: 5,
    duration_seconds: 62,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'paper-lanterns',
    title: 'Paper Lanterns',
    artist: 'Velour',
    mood: 'study',
    genre: 'Lo-Fi Hip-Hop',
    description: 'Dusty drums, a soft vibraphone and one lamp on the desk.',
    tags: ['lo-fi', 'vibraphone', 'instrumental'],
    seed: 13,
    duration_seconds: 64,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'morning-over-me',
    title: 'Morning Over Me',
    artist: 'The Ninth Lantern',
    mood: 'gospel',
    genre: 'Gospel',
    description: 'Piano and organ wake up first, then the choir.',
    tags: ['choir', 'organ', 'uplifting'],
    seed: 6,
    duration_seconds: 74,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'slow-cartography',
    title: 'Slow Cartography',
    artist: 'Cinder & Oak',
    mood: 'focus',
    genre: 'Electronic',
    description: 'A wooden arpeggio draws the coastline while glass bells fill in the islands.',
    tags: ['calm', 'marimba', 'bells'],
    seed: 6,
    duration_seconds: 110,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'second-wind',
    title: 'Second Wind',
    artist: 'Marlow Vane',
    mood: 'workout',
    genre: 'House',
    description: 'The moment the legs stop arguing. Words included, breath not.',
    tags: ['running', 'anthem', 'high energy'],
    seed: 11,
    duration_seconds: 96,
    ai_disclosure: 'ai_assisted',
    lyrics: demoLyrics['second-wind'],
  },
  {
    slug: 'amber-hour',
    title: 'Amber Hour',
    artist: 'Velour',
    mood: 'romantic-chill',
    genre: 'Chillout',
    description: 'A whistled tune, strings behind the curtain, the light going orange.',
    tags: ['slow', 'strings', 'sunset'],
    seed: 11,
    duration_seconds: 88,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'margin-notes',
    title: 'Margin Notes',
    artist: 'Cinder & Oak',
    mood: 'study',
    genre: 'Jazzhop',
    description: 'Upright bass and a nylon guitar discuss the footnotes.',
    tags: ['lo-fi', 'guitar', 'upright bass'],
    seed: 1,
    duration_seconds: 92,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'carry-me-over',
    title: 'Carry Me Over',
    artist: 'The Ninth Lantern',
    mood: 'gospel',
    genre: 'Contemporary Gospel',
    description: 'A slow twelve-eight that begins with empty hands and ends a step higher.',
    tags: ['choir', 'hope', 'slow'],
    seed: 14,
    duration_seconds: 112,
    ai_disclosure: 'ai_assisted',
    lyrics: demoLyrics['carry-me-over'],
  },
  {
    slug: 'northlight',
    title: 'Northlight',
    artist: 'Velour',
    mood: 'focus',
    genre: 'Downtempo',
    description: 'A quiet lead over strings, steady as a lighthouse.',
    tags: ['calm', 'strings', 'night'],
    seed: 4,
    duration_seconds: 98,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'velvet-weather',
    title: 'Velvet Weather',
    artist: 'Ida Sorrel',
    mood: 'romantic-chill',
    genre: 'Neo-Soul',
    description: 'Electric piano with the tremolo on and the curtains half drawn.',
    tags: ['neo-soul', 'electric piano', 'warm'],
    seed: 14,
    duration_seconds: 102,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'chrome-heart',
    title: 'Chrome Heart',
    artist: 'Velour',
    mood: 'workout',
    genre: 'Synthwave',
    description: 'Night drive at running speed: strings in the mirrors, the engine in front.',
    tags: ['synth', 'drive', 'night'],
    seed: 7,
    duration_seconds: 90,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'library-after-hours',
    title: 'Library After Hours',
    artist: 'Velour',
    mood: 'study',
    genre: 'Lo-Fi Hip-Hop',
    description: 'A kalimba among the shelves after the doors have closed.',
    tags: ['lo-fi', 'kalimba', 'cosy'],
    seed: 9,
    duration_seconds: 104,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'lantern-hymn',
    title: 'Lantern Hymn',
    artist: 'The Ninth Lantern',
    mood: 'gospel',
    genre: 'Gospel',
    description: 'A guitar carries the verse, the whole room carries the chorus.',
    tags: ['choir', 'guitar', 'hymn'],
    seed: 10,
    duration_seconds: 96,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'the-quiet-engine',
    title: 'The Quiet Engine',
    artist: 'Cinder & Oak',
    mood: 'focus',
    genre: 'Electronic',
    description: 'Felt piano in small circles until the work is done.',
    tags: ['calm', 'piano', 'deep work'],
    seed: 9,
    duration_seconds: 146,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'half-past-midnight',
    title: 'Half Past Midnight',
    artist: 'Ida Sorrel',
    mood: 'romantic-chill',
    genre: 'Neo-Soul',
    description: 'Your street, no traffic, a guitar that takes its time.',
    tags: ['slow', 'guitar', 'late night'],
    seed: 12,
    duration_seconds: 118,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'pulse-theory',
    title: 'Pulse Theory',
    artist: 'Marlow Vane',
    mood: 'workout',
    genre: 'House',
    description: 'Two and a half minutes of proof that the heart is a drum machine.',
    tags: ['house', 'high energy', 'long run'],
    seed: 13,
    duration_seconds: 154,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'rain-on-page-forty',
    title: 'Rain on Page Forty',
    artist: 'Velour',
    mood: 'study',
    genre: 'Jazzhop',
    description: 'A muted guitar, a minor turn, and weather against the window.',
    tags: ['lo-fi', 'guitar', 'rainy day'],
    seed: 10,
    duration_seconds: 138,
    ai_disclosure: 'ai_generated',
  },
  {
    slug: 'hold-the-light',
    title: 'Hold the Light',
    artist: 'The Ninth Lantern',
    mood: 'gospel',
    genre: 'Contemporary Gospel',
    description: 'A brisk shuffle with clapping hands and a last chorus two steps up.',
    tags: ['choir', 'shuffle', 'joy'],
    seed: 4,
    duration_seconds: 100,
    tempo: 92,
    ai_disclosure: 'ai_generated',
  },
]

/** How a song was made, as shown to listeners. */
function creditsOf(song: Song): string {
  const words = song.lyrics ? 'Words: written for the Velour demo\n' : ''
  return `${words}Composed, performed and mixed by Velour Composer for ${song.artist}`
}

export const demoTracks: readonly DemoTrack[] = songs.map((song) => ({
  ...song,
  category: song.mood,
  explicit: false,
  ai_tool: 'Velour Composer',
  credits: creditsOf(song),
  lyrics: song.lyrics ?? null,
}))
