// Categories, genres and curated playlists of the demo's music.

import type { Mood } from './compose-model.ts'

export type DemoCategory = {
  category: Mood
  display_name: string
  description: string
  sort_order: number
}

export const demoCategories: readonly DemoCategory[] = [
  {
    category: 'focus',
    display_name: 'Focus',
    description: 'Patient arpeggios and wide, quiet chords that keep you company while you think.',
    sort_order: 0,
  },
  {
    category: 'romantic-chill',
    display_name: 'Romantic Chill',
    description: 'Slow grooves and warm electric piano for two people and a low light.',
    sort_order: 1,
  },
  {
    category: 'workout',
    display_name: 'Workout',
    description: 'Four to the floor, an engine of a bass, and choruses that open wide.',
    sort_order: 2,
  },
  {
    category: 'study',
    display_name: 'Study',
    description: 'Dusty drums and jazz chords from an old record, for long evenings at the desk.',
    sort_order: 3,
  },
  {
    category: 'gospel',
    display_name: 'Gospel',
    description: 'Piano, organ and a choir that rises until the last chorus lifts the roof.',
    sort_order: 4,
  },
]

export const demoGenres = [
  'Ambient',
  'Chillout',
  'Contemporary Gospel',
  'Downtempo',
  'Electronic',
  'Gospel',
  'House',
  'Jazzhop',
  'Lo-Fi Hip-Hop',
  'Neo-Soul',
  'R&B',
  'Synthwave',
] as const

export type DemoGenre = (typeof demoGenres)[number]

export type DemoPlaylist = { title: string; description: string; tracks: readonly string[] }

export const demoPlaylists: readonly DemoPlaylist[] = [
  {
    title: 'Deep Work',
    description: 'Eight tracks for one hard problem. Nothing here asks to be noticed.',
    tracks: [
      'glass-harbour',
      'paper-lanterns',
      'slow-cartography',
      'rain-on-page-forty',
      'northlight',
      'margin-notes',
      'the-quiet-engine',
      'library-after-hours',
    ],
  },
  {
    title: 'Sunday, Slowly',
    description: 'Coffee first. Then a choir, a slow dance in the kitchen, and no plans.',
    tracks: [
      'morning-over-me',
      'velvet-weather',
      'lantern-hymn',
      'amber-hour',
      'carry-me-over',
      'stay-for-the-rain',
      'hold-the-light',
    ],
  },
  {
    title: 'Faster Than Yesterday',
    description: 'A run from the first warm steps to the last sprint, and one track to come down.',
    tracks: [
      'chrome-heart',
      'redline-sunrise',
      'second-wind',
      'pulse-theory',
      'half-past-midnight',
    ],
  },
]
