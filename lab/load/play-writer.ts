// A writer (see writer.ts) that acts as a listener: requests ranges of audio and reports its position. An acknowledged
// play must be stored, and a play that was counted must stay counted.
import { randomUUID } from 'node:crypto'
import type { WriterWorld, Member, Writer } from './writer.ts'

const trackSeconds = 6
/** 256 kbit/s, the high quality. */
const bytesPerSecond = 32_000

export function createPlayWriter(world: WriterWorld, member: Member): Writer {
  const told = new Set<string>()
  const counted = new Set<string>()
  let play: { play_id: string; track_id: string; heard: number } | null = null
  return {
    name: 'plays',
    everyMs: 1000,
    async act() {
      play ??= { play_id: randomUUID(), track_id: world.chance.pick(world.trackIds), heard: 0 }
      const { play_id, track_id, heard } = play
      await member.client.send('GET', `/api/tracks/${track_id}/${member.hears}`, {
        // The last ranges are beyond the end of a preview.
        expects: ['range_not_satisfiable'],
        headers: { range: `bytes=${heard * bytesPerSecond}-${(heard + 1) * bytesPerSecond - 1}` },
      })
      const { status, body } = await member.client.send('POST', '/api/plays', {
        body: {
          play_id,
          track_id,
          heard_seconds: heard,
          position_seconds: heard,
          duration_seconds: trackSeconds,
        },
      })
      play.heard++
      if (status === 200) told.add(play_id)
      if (status === 200 && body['is_counted']) counted.add(play_id)
      if (play.heard > trackSeconds) play = null
    },
    async audit({ db }) {
      const rows = await db.query
        .selectFrom('plays')
        .select(['id', 'counted_at'])
        .where('user_id', '=', member.id)
        .execute()
      const found = new Map(rows.map(({ id, counted_at }) => [id, counted_at]))
      return [
        ...[...told].filter((id) => !found.has(id)).map((id) => `the play ${id} is gone`),
        ...[...counted].filter((id) => !found.get(id)).map((id) => `the play ${id} does not count`),
      ]
    },
    acknowledged: () => told.size,
  }
}
