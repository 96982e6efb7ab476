// The code in the link for creating the first admin. It is derived from the SECRET and the installation id, so it is
// not stored, every instance accepts it, and a restart does not change it. A new SECRET changes it.
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { setupPath } from '#contract/setup.ts'
import type { Database } from '../../platform/db/database.ts'

export interface SetupCode {
  /** The link that the server prints when it starts. */
  link: string
  /** Compares a code in constant time. */
  matches: (code: string) => boolean
}

const codeBytes = 24

export async function createSetupCode(
  db: Database,
  secret: string,
  publicUrl: string,
): Promise<SetupCode> {
  const { id } = await db.query.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const code = Buffer.from(hkdfSync('sha256', secret, id, 'velour setup', codeBytes)).toString(
    'base64url',
  )
  const expected = hash(code)
  return {
    link: `${publicUrl}${setupPath}#${code}`,
    matches: (given) => timingSafeEqual(hash(given), expected),
  }
}

/** Compares hashes, because timingSafeEqual requires values of equal length. */
const hash = (code: string) => createHash('sha256').update(code).digest()
