// A spot for tests.
import type { Spot } from '#contract/spots.ts'

export function makeSpot(changes: Partial<Spot> = {}): Spot {
  return {
    id: '0191a0c0-0000-7000-8000-0000000005b0',
    kind: 'sound',
    title: 'New album on Friday',
    text: 'Nocturnes, ten pieces for the night.',
    link_url: 'https://www.example.com/album',
    link_label: '',
    cover_url: null,
    cover_tint: null,
    cover_placeholder: null,
    audio_url: '/api/spots/0191a0c0-0000-7000-8000-0000000005b0/audio',
    duration: 6,
    loudness_lufs: -14,
    true_peak_dbtp: -2,
    skip_after_seconds: null,
    ...changes,
  }
}

export const offerOfPremium = makeSpot({
  id: null,
  kind: 'offer',
  title: 'Music without a break',
  text: 'Premium plays every song in full.',
  link_url: null,
  audio_url: null,
  duration: 0,
})
