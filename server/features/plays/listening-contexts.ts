// Stores the lists (playlists, releases, radio stations and others) that a member listened to, each with the track
// played last, so that the member can continue them.
import { sql } from 'kysely'
import type { PlayContext } from '#contract/play-context.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

/** Maximum number of stored lists per member. Older ones are deleted. */
const maxContexts = 30
/** Shorter plays count as skips and are not stored. */
const minListenedSeconds = 5

interface Played {
  track_id: string
  heard_seconds: number
  context: PlayContext
}

export async function saveContext(
  { actor, now }: MemberContext,
  trx: Transaction,
  { track_id, heard_seconds, context }: Played,
): Promise<void> {
  if (heard_seconds < minListenedSeconds) return
  const { user_id } = actor
  // A single statement, because each player reports every ten seconds.
  await sql`
    with saved as (
      insert into listening_contexts (user_id, kind, ref, track_id, played_at)
      values (${user_id}, ${context.kind}, ${formatRef(context)}, ${track_id}, ${now().toISOString()})
      on conflict (user_id, kind, ref)
      do update set track_id = excluded.track_id, played_at = excluded.played_at
    )
    delete from listening_contexts
     where user_id = ${user_id} and played_at < (
       select played_at from listening_contexts
        where user_id = ${user_id} order by played_at desc offset ${maxContexts - 1} limit 1)`.execute(
    trx.query,
  )
}

function formatRef(context: PlayContext): string {
  if (context.kind === 'likes') return ''
  if (context.kind !== 'radio') return context.id.toLowerCase()
  const { seed } = context
  if (seed.kind === 'likes') return 'likes'
  return `${seed.kind}:${seed.kind === 'artist' ? seed.name : seed.id.toLowerCase()}`
}

/** Parses the seed of a radio station, which is stored as its `ref`. */
export function parseSeedRef(ref: string): RadioSeed {
  const [kind, ...rest] = ref.split(':')
  const value = rest.join(':')
  if (kind === 'artist') return { kind, name: value }
  if (kind === 'track' || kind === 'playlist') return { kind, id: value }
  return { kind: 'likes' }
}
