// Selects the credits of a track in the API's response format.
import { sql } from 'kysely'
import type { TrackArtist } from '#contract/fields/artist-credits.ts'

type TrackId = `${string}.id`

const ofTrack = (trackId: TrackId, condition: ReturnType<typeof sql>) => sql<TrackArtist[]>`(
  select coalesce(json_agg(credit), '[]') from (
    select a.id, a.name, a.slug, c.role, c.credited_as, c.joiner
      from track_credits c join artists a on a.id = c.artist_id
     where c.track_id = ${sql.ref(trackId)} ${condition} order by c.position) credit)`

/** The artists of a track that appear in its artist line. */
export const lineArtists = (trackId: TrackId) =>
  ofTrack(trackId, sql`and c.role in ('main', 'featured')`)

export const allCredits = (trackId: TrackId) => ofTrack(trackId, sql``)
