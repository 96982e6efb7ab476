// The demo's songs: for each one a seed for the composer, and the texts shown in the app. Changing the composer also
// changes the songs.
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
