// A writer (see writer.ts) that creates accounts. An acknowledged account must be complete. One without a response must
// be complete or missing.
import { createFaultClient } from './fault-client.ts'
import { memberPassword, type WriterWorld, type Writer } from './writer.ts'

/** Low, because a sign-in takes a fifth of a second of CPU time. */
const signedInPerAudit = 2

export function createSignUpWriter(world: WriterWorld): Writer {
  const tried: string[] = []
  const acknowledged: string[] = []
  return {
    name: 'sign-ups',
    everyMs: 400,
    async act() {
      const email = `listener-${tried.length}@example.com`
      tried.push(email)
      const visitor = createFaultClient(world.url, world.responses)
      const body = { email, password: memberPassword, name: '' }
      const outcome = await visitor.write('POST', '/api/auth/sign-up/email', { body })
      if (outcome === 'acknowledged') acknowledged.push(email)
    },
    async audit({ db }) {
      const rows = await db.query
        .selectFrom('profiles as p')
        .leftJoin('accounts as a', 'a.user_id', 'p.id')
        .leftJoin('user_roles as r', 'r.user_id', 'p.id')
        .select(['p.email', 'a.password', 'r.role'])
        .where('p.email', 'like', 'listener-%')
        .execute()
      const found = new Map(rows.map((row) => [row.email, row]))
      const lost = acknowledged.filter((email) => !found.has(email))
      const half = rows.filter(({ password, role }) => !password || role !== 'member')
      const outside = world.chance.shuffle(acknowledged).slice(0, signedInPerAudit)
      const refused = await Promise.all(
        outside.map(async (email) => {
          const person = createFaultClient(world.url, world.responses)
          return person.signIn({ email, password: memberPassword }).then(
            () => null,
            (error: Error) => error.message,
          )
        }),
      )
      return [
        ...lost.map((email) => `the account ${email} is gone`),
        ...half.map(({ email }) => `the account ${email} is half there`),
        ...(rows.length === found.size ? [] : ['an account is there twice']),
        ...refused.filter((problem) => problem !== null),
      ]
    },
    acknowledged: () => acknowledged.length,
  }
}
