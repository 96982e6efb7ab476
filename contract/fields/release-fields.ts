// What other things show of a release.
import * as z from 'zod/mini'

export const releaseKinds = ['single', 'ep', 'album', 'compilation'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

export const releaseKindLabels: Record<ReleaseKind, string> = {
  single: 'Single',
  ep: 'EP',
  album: 'Album',
  compilation: 'Compilation',
}

/** A release as its tracks name it. */
export const releaseOfTrack = z.object({
  id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  kind: z.enum(releaseKinds),
})
export type ReleaseOfTrack = z.infer<typeof releaseOfTrack>
