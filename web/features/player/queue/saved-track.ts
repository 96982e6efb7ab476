// Validates tracks of a saved queue. The schema repeats fields of the contract: importing the contract's schemas
// would load the schema library before the first screen.
import * as z from 'zod/mini'
import { aiDisclosures } from '#contract/fields/ai-disclosure.ts'
import { creditRoles } from '#contract/fields/artist-credits.ts'
import { releaseKinds } from '#contract/fields/release-fields.ts'
import type { PlayerTrack } from './player-track.ts'

const artist = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  role: z.enum(creditRoles),
  credited_as: z.nullable(z.string()),
  joiner: z.string(),
})

const release = z.object({
  id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  kind: z.enum(releaseKinds),
})

export const savedTrack: z.ZodMiniType<PlayerTrack> = z.object({
  id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  duration: z.number(),
  explicit: z.boolean(),
  cover_url: z.nullable(z.string()),
  cover_tint: z.nullable(z.string()),
  cover_placeholder: z.nullable(z.string()),
  audio_url: z.string(),
  preview_url: z.nullable(z.string()),
  preview_seconds: z.nullable(z.number()),
  loudness_lufs: z.nullable(z.number()),
  true_peak_dbtp: z.nullable(z.number()),
  ai_disclosure: z.enum(aiDisclosures),
  has_lyrics: z.boolean(),
  artists: z.optional(z.array(artist)),
  premium_only: z.optional(z.nullable(z.boolean())),
  early_access_until: z.optional(z.nullable(z.string())),
  release: z.optional(z.nullable(release)),
  share_url: z.optional(z.string()),
  album_loudness_lufs: z.optional(z.nullable(z.number())),
  album_true_peak_dbtp: z.optional(z.nullable(z.number())),
})
