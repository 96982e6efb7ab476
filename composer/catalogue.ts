// The demo's songs: a seed for each, and the texts shown with it. A change to the composer changes the songs.
import catalogue from './catalogue.json' with { type: 'json' }
import type { Mood } from './composition/compose-model.ts'

export interface Song {
  slug: string
  mood: Mood
  seed: number
  duration_seconds: number
  /** Desired beats per minute; by default the mood's own. */
  tempo?: number
}

export const songs = catalogue.tracks as readonly (Song & (typeof catalogue.tracks)[number])[]
