// Tracks that visitors can preview before signing up. In a file of their own, so that the landing page does not load
// the module of the members' tracks.
import * as z from 'zod/mini'
import { aiDisclosures } from './fields/ai-disclosure.ts'
import { premiumMarks } from './fields/availability.ts'
import { coverFields } from './fields/cover-fields.ts'
import { endpoint } from './endpoint.ts'

export const showcaseTrack = z.extend(z.object(coverFields), {
  id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  duration: z.number(),
  preview_url: z.string(),
  preview_seconds: z.number(),
  peaks: z.nullable(z.string()),
  ai_disclosure: z.enum(aiDisclosures),
  ...premiumMarks,
})
export type ShowcaseTrack = z.infer<typeof showcaseTrack>

export const listShowcase = endpoint({
  method: 'GET',
  path: '/api/showcase',
  summary:
    'Up to six published tracks that visitors can preview: chosen by the owner, or the newest ones.',
  access: 'anyone',
  output: z.object({ data: z.array(showcaseTrack) }),
})
