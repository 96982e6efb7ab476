// Hands publications to the members who follow them: to those with Premium when early access begins, to the others when it
// ends. Triggers make one row of `news_items` for each publication, at its commit. Whoever follows later gets nothing of it.
import { sql } from 'kysely'
import type { Availability } from '#contract/fields/availability.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { availabilityIn } from '../availability/availability.ts'
import { canBeMailed, hasPremium } from './news-preferences.ts'

interface DueItem {
  id: string
  release_id: string | null
  track_id: string | null
  stage: Availability
  /** A track that is on a published release by now: its news is the release. */
  is_covered: boolean
}

/** Returns how many were handed on. Safe on several instances at once: each item is locked by one. */
export async function openNews(db: Database): Promise<number> {
  let count = 0
  while (await transaction(db, openNext)) count += 1
  return count
}

async function openNext(trx: Transaction): Promise<boolean> {
  const item = await lockDueItem(trx)
  if (!item) return false
  const isForAll = item.stage === 'everyone' || item.stage === 'members'
  if (!item.is_covered) {
    await insertMails(trx, item, isForAll)
    await insertPushes(trx, item, isForAll)
  }
  await trx.query
    .updateTable('news_items')
    .set(({ fn, val, ref }) => ({
      premium_at: fn.coalesce(ref('premium_at'), sql<string>`now()`),
      ...((isForAll || item.is_covered) && { everyone_at: sql<string>`now()` }),
      id: val(item.id),
    }))
    .where('id', '=', item.id)
    .execute()
  return true
}

/** What is hidden again, or has no track that can be heard yet, stays. */
async function lockDueItem(trx: Transaction): Promise<DueItem | undefined> {
  const { rows } = await sql<DueItem>`
    select i.id, i.release_id, i.track_id, a.stage,
           coalesce(exists (select from release_tracks e join releases o on o.id = e.release_id
                             where e.track_id = t.id and o.is_published), false) as is_covered
      from news_items i
      left join releases r on r.id = i.release_id
      left join tracks t on t.id = i.track_id
     cross join lateral (select case when i.release_id is null
                                then ${availabilityIn('t')} else ${availabilityIn('r')} end as stage) a
     where i.everyone_at is null
       and (a.stage in ('everyone', 'members')
            or (a.stage in ('early_access', 'premium_only') and i.premium_at is null))
       and (i.release_id is null
            or exists (select from release_tracks e join tracks o on o.id = e.track_id
                        where e.release_id = r.id and o.is_published))
     order by i.created_at, i.id
     limit 1
       for update of i skip locked`.execute(trx.query)
  return rows[0]
}

/** Whether the person `p` follows everything, or an artist of the item. */
const follows = ({ release_id, track_id }: DueItem) => sql<boolean>`(
  coalesce(n.follows_everything, false) or exists (
    select from followed_artists f
     where f.user_id = p.id and f.artist_id in (
       select artist_id from release_credits where release_id = ${release_id}
       union
       select c.artist_id from track_credits c
        where c.role in ('main', 'featured', 'remixer') and c.track_id = ${track_id}
       union
       select c.artist_id from release_tracks e join track_credits c on c.track_id = e.track_id
         join tracks o on o.id = e.track_id and o.is_published
        where e.release_id = ${release_id} and c.role = 'main')))`

async function insertMails(trx: Transaction, item: DueItem, isForAll: boolean): Promise<void> {
  await sql`
    insert into news_deliveries (item_id, user_id)
    select ${item.id}, p.id
      from news_preferences n join profiles p on p.id = n.user_id
     where n.release_mail <> 'off' and ${canBeMailed} and (${isForAll} or ${hasPremium}) and ${follows(item)}
    on conflict do nothing`.execute(trx.query)
}

async function insertPushes(trx: Transaction, item: DueItem, isForAll: boolean): Promise<void> {
  await sql`
    insert into push_deliveries (item_id, subscription_id)
    select ${item.id}, s.id
      from push_subscriptions s join profiles p on p.id = s.user_id
      left join news_preferences n on n.user_id = p.id
     where p.banned_at is null and (${isForAll} or ${hasPremium}) and ${follows(item)}
    on conflict do nothing`.execute(trx.query)
}

/** For the sweep. Rows of what is still to open for others are kept: they say who has it already. */
export async function deleteOldNews(db: Database): Promise<void> {
  for (const table of ['news_deliveries', 'push_deliveries'] as const) {
    await sql`
      delete from ${sql.table(table)} d using news_items i
       where i.id = d.item_id and i.everyone_at < now() - interval '90 days'
         and d.created_at < now() - interval '90 days'`.execute(db.query)
  }
}
