// Creates the deliveries of news to followers: to Premium members when early access starts, to other members when it
// ends. A trigger inserts one row into `news_items` for each published track or release. People who start to follow
// later get no news of that item.
import { sql } from 'kysely'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { selectAvailability } from '../availability/availability.ts'
import { canReceiveEmail, hasPremium } from './news-preferences.ts'

interface DueItem {
  id: string
  /** Whether the item is also open to members without Premium. */
  is_for_all: boolean
  /** Whether the item is a track on a published release. News is then sent for the release only. */
  is_covered: boolean
}

/** Number of items per transaction, because an import may publish thousands of tracks at the same time. */
const batchSize = 200

/**
 * Opens the due items and returns how many. Each item is locked, so several instances may run this concurrently. An
 * abort takes effect after the current transaction.
 */
export async function openNews(db: Database, signal?: AbortSignal): Promise<number> {
  let count = 0
  while (!signal?.aborted) {
    const opened = await transaction(db, openBatch)
    count += opened
    if (opened < batchSize) break
  }
  return count
}

async function openBatch(trx: Transaction): Promise<number> {
  const items = await lockDueItems(trx)
  const own = items.filter(({ is_covered }) => !is_covered)
  if (own.length > 0) {
    await insertMails(trx, own)
    await insertPushes(trx, own)
  }
  const closed = items.filter(({ is_for_all, is_covered }) => is_for_all || is_covered)
  await sql`
    update news_items
       set premium_at = coalesce(premium_at, now()),
           everyone_at = case when id = any(${idsOf(closed)}::uuid[]) then now() end
     where id = any(${idsOf(items)}::uuid[])`.execute(trx.query)
  return items.length
}

const idsOf = (items: readonly DueItem[]) => items.map(({ id }) => id)

/** Locks and returns the due items. Skips items that have been unpublished, and releases without a published track. */
async function lockDueItems(trx: Transaction): Promise<DueItem[]> {
  const { rows } = await sql<DueItem>`
    select i.id, a.stage in ('everyone', 'members') as is_for_all,
           coalesce(exists (select from release_tracks e join releases o on o.id = e.release_id
                             where e.track_id = t.id and o.is_published), false) as is_covered
      from news_items i
      left join releases r on r.id = i.release_id
      left join tracks t on t.id = i.track_id
     cross join lateral (select case when i.release_id is null
                                then ${selectAvailability('t')} else ${selectAvailability('r')} end as stage) a
     where i.everyone_at is null
       and (a.stage in ('everyone', 'members')
            or (a.stage in ('early_access', 'premium_only') and i.premium_at is null))
       and (i.release_id is null
            or exists (select from release_tracks e join tracks o on o.id = e.track_id
                        where e.release_id = r.id and o.is_published))
     order by i.created_at, i.id
     limit ${batchSize}
       for update of i skip locked`.execute(trx.query)
  return rows
}

/** A FROM clause that returns the items as rows `i`, with the column `is_for_all`. */
const itemRows = (items: readonly DueItem[]) => sql`(
  select i.id, i.release_id, i.track_id, o.is_for_all
    from unnest(${idsOf(items)}::uuid[], ${items.map((item) => item.is_for_all)}::boolean[]) as o (id, is_for_all)
    join news_items i on i.id = o.id) i`

/** Whether the person `p`, with preferences `n`, follows everything, or an artist of the item `i`. */
const follows = sql<boolean>`(
  coalesce(n.follows_everything, false) or exists (
    select from followed_artists f
     where f.user_id = p.id and f.artist_id in (
       select artist_id from release_credits where release_id = i.release_id
       union
       select c.artist_id from track_credits c
        where c.role in ('main', 'featured', 'remixer') and c.track_id = i.track_id
       union
       select c.artist_id from release_tracks e join track_credits c on c.track_id = e.track_id
         join tracks o on o.id = e.track_id and o.is_published
        where e.release_id = i.release_id and c.role = 'main')))`

async function insertMails(trx: Transaction, items: readonly DueItem[]): Promise<void> {
  await sql`
    insert into news_deliveries (item_id, user_id)
    select i.id, p.id
      from ${itemRows(items)}
     cross join news_preferences n join profiles p on p.id = n.user_id
     where n.release_mail <> 'off' and ${canReceiveEmail} and (i.is_for_all or ${hasPremium}) and ${follows}
    on conflict do nothing`.execute(trx.query)
}

async function insertPushes(trx: Transaction, items: readonly DueItem[]): Promise<void> {
  await sql`
    insert into push_deliveries (item_id, subscription_id)
    select i.id, s.id
      from ${itemRows(items)}
     cross join push_subscriptions s join profiles p on p.id = s.user_id
      left join news_preferences n on n.user_id = p.id
     where p.banned_at is null and (i.is_for_all or ${hasPremium}) and ${follows}
    on conflict do nothing`.execute(trx.query)
}

/**
 * Deletes old deliveries; called by the sweep. While an item is not yet open to everyone, its deliveries are kept,
 * because they record who has received the news.
 */
export async function deleteOldNews(db: Database): Promise<void> {
  for (const table of ['news_deliveries', 'push_deliveries'] as const) {
    await sql`
      delete from ${sql.table(table)} d using news_items i
       where i.id = d.item_id and i.everyone_at < now() - interval '90 days'
         and d.created_at < now() - interval '90 days'`.execute(db.query)
  }
}
