// Requests for every list and search of the product: first page, deep page, filtered, searched.
import type { ParsedInput } from '#contract/endpoint.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { listAdminCategories } from '#contract/admin/admin-categories.ts'
import { listGenres } from '#contract/admin/admin-genres.ts'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { listAdminTracks } from '#contract/admin/admin-tracks.ts'
import { listUsers } from '#contract/admin/admin-users.ts'
import { listCategories } from '#contract/categories.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listPlaylists, listPlaylistTracks } from '#contract/playlists.ts'
import { listRecentlyPlayed } from '#contract/plays.ts'
import { listTracks } from '#contract/tracks.ts'
import { listAuditEntries } from '#server/features/audit/audit-operations.ts'
import { runBilling } from '#server/features/billing/billing-operations.ts'
import { listCategoriesForAdmin } from '#server/features/categories/admin-category-operations.ts'
import { listVisibleCategories } from '#server/features/categories/category-operations.ts'
import { listGenresForAdmin } from '#server/features/genres/genre-operations.ts'
import { encodeCursor } from '#server/platform/operations/cursor.ts'
import type { MemberContext } from '#server/platform/operations/context.ts'
import { changePlaylistsAsAdmin } from '#server/features/playlists/admin-playlist-operations.ts'
import { listPlaylistsForMember } from '#server/features/playlists/playlist-list.ts'
import { listTracksOfPlaylist } from '#server/features/playlists/playlist-track-operations.ts'
import { listRecentTracks } from '#server/features/plays/play-operations.ts'
import { listTracksForAdmin } from '#server/features/tracks/admin-track-list.ts'
import { listTracksForMember } from '#server/features/tracks/track-operations.ts'
import { listUsersForAdmin } from '#server/features/users/user-list.ts'
import * as z from 'zod/mini'
import type pg from 'pg'

export interface ListCase {
  name: string
  who: 'member' | 'admin'
  path: string
  body?: unknown
  /** Runs the same operation in this process. */
  run: (ctx: MemberContext) => Promise<unknown>
}

/** Reads rows of the data set to build the cursors of deep pages. */
export async function makeListCases(pool: pg.Pool, memberEmail: string): Promise<ListCase[]> {
  const one = async (sql: string, values: unknown[] = []) =>
    Object.values((await pool.query<Record<string, string>>(sql, values)).rows[0] ?? {}).map(String)
  const deepTrack = await one(
    'select created_at::text, id from tracks where is_published order by created_at limit 1 offset 1000',
  )
  const [playlist] = await one(
    'select p.id from playlists p join profiles o on o.id = p.created_by where o.email = $1 limit 1',
    [memberEmail],
  )
  const [editor] = await one(`select user_id from user_roles where role = 'editor' limit 1`)
  const [users, tracks, entries] = await Promise.all(
    ['profiles', 'tracks', 'audit_log'].map(async (table) =>
      Number((await one(`select count(*) from ${table}`))[0]),
    ),
  )
  const pages = (count: number, size: number) => Math.max(1, Math.floor(count / size))

  return [
    get('browse', 'member', listTracks, listTracksForMember, {}),
    get('browse, deep', 'member', listTracks, listTracksForMember, {
      cursor: encodeCursor(deepTrack),
    }),
    get('browse, by title', 'member', listTracks, listTracksForMember, { order: 'title' }),
    get('browse, category', 'member', listTracks, listTracksForMember, { category: 'mood-3' }),
    get('browse, search', 'member', listTracks, listTracksForMember, { q: 'velvet harb' }),
    get('browse, search, common word', 'member', listTracks, listTracksForMember, { q: 'moon' }),
    get('browse, search, two letters', 'member', listTracks, listTracksForMember, { q: 'ar' }),
    get('browse, search, nothing', 'member', listTracks, listTracksForMember, { q: 'xylofog' }),
    get('browse, search in category', 'member', listTracks, listTracksForMember, {
      q: 'moon',
      category: 'mood-3',
    }),
    get('liked', 'member', listTracks, listTracksForMember, { liked: 'true' }),
    get('categories', 'member', listCategories, listVisibleCategories, {}),
    get('my playlists', 'member', listPlaylists, listPlaylistsForMember, {}),
    get('curated playlists', 'member', listPlaylists, listPlaylistsForMember, { scope: 'curated' }),
    get('public playlists', 'member', listPlaylists, listPlaylistsForMember, { scope: 'public' }),
    get('public playlists, search', 'member', listPlaylists, listPlaylistsForMember, {
      scope: 'public',
      q: 'moon',
    }),
    get(
      'playlist of 100',
      'member',
      listPlaylistTracks,
      listTracksOfPlaylist,
      {},
      { id: playlist! },
    ),
    get('recently played', 'member', listRecentlyPlayed, listRecentTracks, {}),
    get('admin tracks', 'admin', listAdminTracks, listTracksForAdmin, {}),
    get('admin tracks, deep', 'admin', listAdminTracks, listTracksForAdmin, {
      page: pages(tracks!, 50),
    }),
    get('admin tracks, by title, middle', 'admin', listAdminTracks, listTracksForAdmin, {
      page: pages(tracks! / 2, 50),
      sort: 'title',
      direction: 'asc',
    }),
    get('admin tracks, by duration', 'admin', listAdminTracks, listTracksForAdmin, {
      sort: 'duration',
    }),
    get('admin tracks, search', 'admin', listAdminTracks, listTracksForAdmin, { q: 'moon' }),
    get('admin tracks, drafts of a genre', 'admin', listAdminTracks, listTracksForAdmin, {
      published: 'false',
      genre: 'Velvet Jazz',
    }),
    get('admin users', 'admin', listUsers, listUsersForAdmin, {}),
    get('admin users, deep', 'admin', listUsers, listUsersForAdmin, { page: pages(users!, 20) }),
    get('admin users, middle', 'admin', listUsers, listUsersForAdmin, {
      page: pages(users! / 2, 20),
    }),
    get('admin users, search', 'admin', listUsers, listUsersForAdmin, { q: 'zeno.young1' }),
    get('admin users, search, common', 'admin', listUsers, listUsersForAdmin, { q: 'nakamura' }),
    get('admin users, search, two letters', 'admin', listUsers, listUsersForAdmin, { q: 'an' }),
    get('admin users, editors', 'admin', listUsers, listUsersForAdmin, { role: 'editor' }),
    get('admin users, members', 'admin', listUsers, listUsersForAdmin, { role: 'member' }),
    get('admin users, banned', 'admin', listUsers, listUsersForAdmin, { role: 'banned' }),
    get('admin users, active', 'admin', listUsers, listUsersForAdmin, {
      subscription_status: 'active',
    }),
    get('admin users, deletion asked for', 'admin', listUsers, listUsersForAdmin, {
      deletion_requested: 'true',
    }),
    post('admin billing', { action: 'list_subscriptions' }),
    post('admin billing, deep', { action: 'list_subscriptions', page: pages(users!, 50) }),
    post('admin billing, search', { action: 'list_subscriptions', q: 'nakamura' }),
    get('audit log', 'admin', listAuditLog, listAuditEntries, {}),
    get('audit log, deep', 'admin', listAuditLog, listAuditEntries, { page: pages(entries!, 20) }),
    get('audit log, middle', 'admin', listAuditLog, listAuditEntries, {
      page: pages(entries! / 2, 20),
    }),
    get('audit log, one actor', 'admin', listAuditLog, listAuditEntries, { actor_id: editor! }),
    get('audit log, action and entity', 'admin', listAuditLog, listAuditEntries, {
      action: 'ban',
      entity: 'user',
    }),
    get('audit log, a month', 'admin', listAuditLog, listAuditEntries, {
      start_date: '2026-02-01',
      end_date: '2026-02-28',
    }),
    get('admin categories', 'admin', listAdminCategories, listCategoriesForAdmin, {}),
    get('admin genres', 'admin', listGenres, listGenresForAdmin, {}),
    {
      name: 'admin playlists',
      who: 'admin',
      path: changeAdminPlaylists.path,
      body: { action: 'list' },
      run: (ctx) =>
        changePlaylistsAsAdmin(noPictures, ctx, {
          params: undefined,
          query: undefined,
          body: { action: 'list' },
        }),
    },
  ]
}

// Listing doesn't use the picture service.
const noPictures = undefined as never

function get<E extends Endpoint>(
  name: string,
  who: ListCase['who'],
  endpoint: E,
  operation: (ctx: MemberContext, input: ParsedInput<E>) => Promise<unknown>,
  query: Record<string, string | number>,
  params?: Record<string, string>,
): ListCase {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const path = endpoint.path.replace(/:(\w+)/g, (_, part: string) => params?.[part] ?? '')
  const input = { params, query: endpoint.query && z.parse(endpoint.query, query) }
  return {
    name,
    who,
    path: `${path}?${search}`,
    // The schema has parsed it into the operation's input type.
    run: (ctx) => operation(ctx, input as ParsedInput<E>),
  }
}

function post(name: string, body: Record<string, string | number>): ListCase {
  const parsed = z.parse(runBillingAction.body!, body)
  const services = {
    stripe: null,
    openCustomerPortal: () => Promise.reject(new Error('not measured')),
  }
  return {
    name,
    who: 'admin',
    path: runBillingAction.path,
    body,
    run: (ctx) => runBilling(services, ctx, { params: undefined, query: undefined, body: parsed }),
  }
}
