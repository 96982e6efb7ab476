// Records where a new member came from. For a shared page, sign-ups are counted per page. For a member's referral link,
// both members get free months.
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { readReturnPath } from '#contract/return-path.ts'
import type { Handle } from '../../platform/db/database.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Does nothing if the page is not one that can be shared. The address may belong to an older account, so this only
 * applies to accounts created within the last minute.
 */
export async function recordSignUpPage(db: Handle, email: string, path: unknown): Promise<void> {
  const item = findItem(path)
  if (!item) return
  await sql`
    insert into sign_up_pages (user_id, kind, item_id)
    select p.id, item.kind, item.id from profiles p, (${item}) item
     where p.email = ${email} and p.created_at > now() - interval '1 minute'
    on conflict do nothing`.execute(db.query)
}

/**
 * Records who referred a new member. Does nothing if the code is unknown, referrals are disabled, the referrer is
 * banned, or the person is not new: older accounts and addresses of former accounts get no free months.
 */
export async function recordReferral(
  db: Handle,
  email: string,
  code: string | undefined,
): Promise<void> {
  if (code === undefined) return
  const address = createHash('sha256').update(`email:${email.toLowerCase()}`).digest('hex')
  await sql`
    insert into referrals (referrer_id, friend_id, address_hash, months)
    select l.user_id, p.id, ${address}, s.referral_months
      from profiles p, referral_links l, profiles o, settings s
     where p.email = ${email} and p.created_at > now() - interval '1 minute'
       and l.code = ${code.trim().toLowerCase()} and o.id = l.user_id
       and o.banned_at is null and o.id != p.id and s.id = 1 and s.referral_months > 0
       and not exists (select from used_trials u where u.hash = ${address})
    on conflict do nothing`.execute(db.query)
}

function findItem(path: unknown): RawBuilder<{ kind: string; id: string }> | null {
  const page = readReturnPath(path)
  if (page === null) return null
  const { pathname, searchParams } = new URL(page, 'http://site.invalid')
  const [, folder, name = ''] =
    /^\/(releases|artists|my-playlists)\/([^/]{1,120})$/.exec(pathname) ?? []
  if (folder === 'releases')
    return sql`select 'release' as kind, id from releases where slug = ${name}`
  if (folder === 'artists')
    return sql`select 'artist' as kind, id from artists where slug = ${name}`
  if (folder === 'my-playlists') {
    return uuid.test(name)
      ? sql`select 'playlist' as kind, id from playlists where id = ${name}`
      : null
  }
  if (pathname !== '/browse') return null
  const track = searchParams.get('track')
  if (track !== null) {
    return uuid.test(track) ? sql`select 'track' as kind, id from tracks where id = ${track}` : null
  }
  const category = searchParams.get('category')
  return category === null
    ? null
    : sql`select 'category' as kind, id from category_metadata where category = ${category.slice(0, 120)}`
}
