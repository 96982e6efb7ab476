// A writer (see writer.ts) that creates, fills, reorders and renames playlists.
import { createRegister, type Outcome, type Register } from './register.ts'
import type { WriterWorld, Member, State, Writer } from './writer.ts'

interface Content {
  title: string
  trackIds: string[]
}

/** The member must have Premium, because a free member may have only one playlist with ten tracks. */
export function createPlaylistWriter(world: WriterWorld, member: Member): Writer {
  const { chance } = world
  const { client } = member
  const made = createRegister<string[]>(`the titles of ${member.email}'s playlists`, [])
  let list: { id: string; content: Register<Content> } | null = null
  let count = 0

  async function make(): Promise<void> {
    const title = `List ${++count}`
    let id = ''
    const outcome = await made.write([...made.current(), title].toSorted(), async () => {
      const { status, body } = await client.send('POST', '/api/playlists', { body: { title } })
      id = String(body['id'])
      return toOutcome(status)
    })
    if (outcome !== 'acknowledged') return
    const content = createRegister<Content>(`the playlist ${id}`, { title, trackIds: [] })
    list = { id, content }
  }

  async function read(id: string): Promise<Content | null> {
    const [head, tracks] = await Promise.all([
      client.send('GET', `/api/playlists/${id}`),
      client.send('GET', `/api/playlists/${id}/tracks?limit=1000`),
    ])
    if (head.status !== 200 || tracks.status !== 200) return null
    const rows = tracks.body['data'] as { track: { id: string } }[]
    return { title: String(head.body['title']), trackIds: rows.map(({ track }) => track.id) }
  }

  async function change({ id, content }: NonNullable<typeof list>): Promise<void> {
    const { title, trackIds } = content.current()
    const missing = world.trackIds.filter((trackId) => !trackIds.includes(trackId))
    const path = `/api/playlists/${id}`
    const act = chance.pick(['add', 'add', 'remove', 'order', 'rename'] as const)
    if (act === 'add' && missing.length > 0) {
      const track_id = chance.pick(missing)
      await content.write({ title, trackIds: [...trackIds, track_id] }, () =>
        client.write('POST', `${path}/tracks`, { body: { track_id } }),
      )
    } else if (act === 'remove' && trackIds.length > 2) {
      const gone = chance.pick(trackIds)
      await content.write({ title, trackIds: trackIds.filter((one) => one !== gone) }, () =>
        client.write('DELETE', `${path}/tracks/${gone}`),
      )
    } else if (act === 'order') {
      const track_ids = chance.shuffle(trackIds)
      await content.write({ title, trackIds: track_ids }, () =>
        client.write('PATCH', path, { body: { track_ids } }),
      )
    } else if (act === 'rename' && !made.isUnsure()) {
      const next = `List ${++count}`
      const titles = [...made.current().filter((one) => one !== title), next].toSorted()
      await made.write(titles, () =>
        content.write({ title: next, trackIds }, () =>
          client.write('PATCH', path, { body: { title: next } }),
        ),
      )
    }
  }

  async function compareTitles({ db }: Pick<State, 'db'>): Promise<string | null> {
    const rows = await db.query
      .selectFrom('playlists')
      .select('title')
      .where('created_by', '=', member.id)
      .execute()
    return made.compare(rows.map(({ title }) => title).toSorted())
  }

  return {
    name: 'playlists',
    everyMs: 80,
    async act() {
      if (list?.content.isUnsure()) {
        // The last edit got no response. First find out whether it was executed.
        const found = await read(list.id)
        const problem = found && list.content.compare(found)
        if (problem) world.responses.unexpectedResponses.push(problem)
        return
      }
      // If a creation got no response, create no other playlist until the audit has found out whether it was executed.
      const isTurn = made.counts().acknowledged < 12 && chance.below(25) < 1
      if (!list || (isTurn && !made.isUnsure())) await make()
      else await change(list)
    },
    async audit(state) {
      const problems = [await compareTitles(state)]
      if (list) {
        const shown = await read(list.id)
        const stored = await readRows(state, list.id)
        problems.push(shown ? list.content.compare(shown) : `the playlist ${list.id} is not there`)
        if (shown && JSON.stringify(shown) !== JSON.stringify(stored)) {
          problems.push(
            `the playlist ${list.id} is shown as ${JSON.stringify(shown)}, and is ${JSON.stringify(stored)}`,
          )
        }
      }
      return problems.filter((problem) => problem !== null)
    },
    acknowledged: () =>
      made.counts().acknowledged + (list ? list.content.counts().acknowledged : 0),
  }
}

async function readRows({ db }: State, id: string): Promise<Content | null> {
  const row = await db.query
    .selectFrom('playlists')
    .select('title')
    .where('id', '=', id)
    .executeTakeFirst()
  const tracks = await db.query
    .selectFrom('playlist_tracks')
    .select('track_id')
    .where('playlist_id', '=', id)
    .orderBy('order_index')
    .execute()
  return row ? { title: row.title, trackIds: tracks.map(({ track_id }) => track_id) } : null
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return 'acknowledged'
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}
