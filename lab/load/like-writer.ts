// A writer (see writer.ts) that likes and unlikes tracks.
import { createRegister, type Register } from './register.ts'
import type { WriterWorld, Member, Writer } from './writer.ts'

export function createLikeWriter(world: WriterWorld, member: Member): Writer {
  const registers = new Map<string, Register<boolean>>(
    world.trackIds.map((id) => [id, createRegister(`${member.email} likes ${id}`, false)]),
  )
  return {
    name: 'likes',
    everyMs: 60,
    async act() {
      const id = world.chance.pick(world.trackIds)
      const register = registers.get(id)!
      const next = !register.current()
      await register.write(next, () =>
        member.client.write(next ? 'PUT' : 'DELETE', `/api/tracks/${id}/like`),
      )
    },
    async audit({ db }) {
      const rows = await db.query
        .selectFrom('likes')
        .select('track_id')
        .where('user_id', '=', member.id)
        .execute()
      const stored = rows.map(({ track_id }) => track_id)
      const { body } = await member.client.send('GET', '/api/tracks?liked=true&limit=200')
      const shown = ((body['data'] ?? []) as { id: string }[]).map(({ id }) => id)
      const problems = [...registers].map(([id, register]) => register.compare(stored.includes(id)))
      if (shown.toSorted().join() !== stored.toSorted().join()) {
        problems.push(`${member.email} is shown the likes ${shown.join()}, not ${stored.join()}`)
      }
      return problems.filter((problem) => problem !== null)
    },
    acknowledged: () => sum([...registers.values()].map((one) => one.counts().acknowledged)),
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
