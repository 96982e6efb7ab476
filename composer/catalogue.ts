// The demo's songs as seeds, with the texts that listeners read about them. A change of the composer changes the songs.
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
