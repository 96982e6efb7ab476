// Release fields that are included in other resources.
import * as z from 'zod/mini'

export const releaseKinds = ['single', 'ep', 'album', 'compilation'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

export const releaseKindLabels: Record<ReleaseKind, string> = {
  single: 'Single',
  ep: 'EP',
  album: 'Album',
  compilation: 'Compilation',
}

/** The release of a track. */
export const releaseOfTrack = z.object({
  id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  kind: z.enum(releaseKinds),
})
export type ReleaseOfTrack = z.infer<typeof releaseOfTrack>
