// Reads the sections of a person's page in the back office: profile, plays, sessions.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-people.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { endAllSessionsOf, listSessionsOf } from '../auth/sessions/session-operations.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { coverUrl, isNotDeleted } from '../tracks/track-query.ts'
import { lockPerson } from './lock-person.ts'
import { selectUsers } from './user-query.ts'

const recentDays = 30

export async function getPerson(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getPerson>,
): Promise<Output<typeof contract.getPerson>> {
  const since = new Date(ctx.now().getTime() - recentDays * 24 * 3600 * 1000).toISOString()
  const countOf = (table: 'likes' | 'playlists' | 'sessions', column: string) =>
    sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = p.id)`
  const [found, plays] = await Promise.all([
    selectUsers(ctx.db)
      .select([
        'p.avatar_url',
        'p.email_verified',
        'p.two_factor_enabled',
        'p.banned_at',
        sql<contract.Person['mail_refusal']>`(
          select json_build_object('source', x.source, 'reason', x.reason, 'refusals', x.refusals,
                 'refused_at', to_char(x.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                 'is_suspended', x.suspended_at is not null)
            from refused_addresses x where x.user_id = p.id and x.email = p.email)`.as(
          'mail_refusal',
        ),
        sql<string | null>`(select max(b.created_at) from mail_bounces b
          where b.user_id = p.id and b.kind = 'complaint')`.as('mail_complaint_at'),
        sql<string | null>`greatest(
          (select max(updated_at) from sessions where user_id = p.id),
          (select max(reported_at) from plays where user_id = p.id),
          (select max(seen_at) from players where user_id = p.id)
        )`.as('last_seen_at'),
        countOf('likes', 'user_id').as('like_count'),
        countOf('playlists', 'created_by').as('playlist_count'),
        sql<number>`(select count(*) from sessions
          where user_id = p.id and expires_at > ${ctx.now().toISOString()})`.as('session_count'),
      ])
      .where('p.id', '=', params.id)
      .executeTakeFirst(),
    ctx.db.query
      .selectFrom('plays')
      .select([
        sql<number>`count(*) filter (where counted_at is not null)`.as('play_count'),
        sql<number>`count(*) filter (where counted_at > ${since})`.as('play_count_30d'),
        sql<number>`coalesce(sum(heard_seconds), 0)`.as('heard_seconds'),
      ])
      .where(isNotDeleted('plays.track_id'))
      .where('user_id', '=', params.id)
      .executeTakeFirstOrThrow(),
  ])
  if (!found) throw new AppError('user_not_found')
  return { ...found, ...plays }
}

export async function listPersonPlays(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listPersonPlays>,
): Promise<Output<typeof contract.listPersonPlays>> {
  await requirePerson(ctx.db, params.id)
  const data = await ctx.db.query
    .selectFrom('plays as h')
    .innerJoin('tracks as t', 't.id', 'h.track_id')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      'h.id',
      'h.track_id',
      't.title',
      't.artist',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      't.is_published',
      'h.is_preview',
      'h.completed',
      sql<boolean>`h.counted_at is not null`.as('is_counted'),
      'h.heard_seconds',
      'h.started_at',
    ])
    .where('h.user_id', '=', params.id)
    .where('t.deleted_at', 'is', null)
    .orderBy('h.reported_at', 'desc')
    .orderBy('h.id')
    .limit(query.limit)
    .execute()
  return { data }
}

export async function listPersonSessions(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listPersonSessions>,
): Promise<Output<typeof contract.listPersonSessions>> {
  await requirePerson(ctx.db, params.id)
  return { data: await listSessionsOf(ctx, params.id) }
}

export async function endPersonSession(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.endPersonSession>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, params.id)
    const ended = await trx.query
      .deleteFrom('sessions')
      .where('id', '=', params.session_id)
      .where('user_id', '=', params.id)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw new AppError('not_found')
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'user',
      entity_id: params.id,
      after: { sessions: 'one ended' },
    })
  })
}

export async function endPersonSessions(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.endPersonSessions>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, params.id)
    await endAllSessionsOf(trx, params.id)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'user',
      entity_id: params.id,
      after: { sessions: 'all ended' },
    })
  })
}

/** Throws `user_not_found` if there is no such person. */
export async function requirePerson(handle: Handle, id: string): Promise<void> {
  const row = await handle.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('user_not_found')
}
