// Requests for every list and search of the product: first page, page far into the list, with filters, with a search.
import type { ParsedInput } from '#contract/endpoint.ts'
import * as adminAuditContract from '#contract/admin/admin-audit.ts'
import * as adminBillingContract from '#contract/admin/admin-billing.ts'
import * as adminCategoriesContract from '#contract/admin/admin-categories.ts'
import * as adminGenresContract from '#contract/admin/admin-genres.ts'
import * as adminPlaylistsContract from '#contract/admin/admin-playlists.ts'
import * as adminTracksContract from '#contract/admin/admin-tracks.ts'
import * as adminUsersContract from '#contract/admin/admin-users.ts'
import * as categoriesContract from '#contract/categories.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as playlistsContract from '#contract/playlists.ts'
import * as playsContract from '#contract/plays.ts'
import * as tracksContract from '#contract/tracks.ts'
import { listAuditLog } from '#server/features/audit/audit-operations.ts'
import { runBillingAction } from '#server/features/billing/billing-operations.ts'
import { listAdminCategories } from '#server/features/categories/admin-category-operations.ts'
import { listVisibleCategories } from '#server/features/categories/category-operations.ts'
import { listGenres } from '#server/features/genres/genre-operations.ts'
import { encodeCursor } from '#server/platform/operations/cursor.ts'
import type { MemberContext } from '#server/platform/operations/context.ts'
import { changeAdminPlaylists } from '#server/features/playlists/admin-playlist-operations.ts'
import { listPlaylists } from '#server/features/playlists/playlist-list.ts'
import { listPlaylistTracks } from '#server/features/playlists/playlist-track-operations.ts'
import { listRecentlyPlayed } from '#server/features/plays/play-operations.ts'
import { listAdminTracks } from '#server/features/tracks/admin-track-list.ts'
import { readTracks } from '#server/features/tracks/track-operations.ts'
import { noStripe } from '#server/features/billing/stripe-client.ts'
import { listUsers } from '#server/features/users/user-list.ts'
import * as z from 'zod/mini'
import type pg from 'pg'

export interface ListCase {
  name: string
  who: 'member' | 'admin'
  path: string
  body?: unknown
  /** Runs the operation behind the request in this process. */
  run: (ctx: MemberContext) => Promise<unknown>
}

/** Returns all cases. Reads rows of the data set for the cursors of pages far into a list. */
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
    get('browse', 'member', tracksContract.listTracks, readTracks, {}),
    get('browse, deep', 'member', tracksContract.listTracks, readTracks, {
      cursor: encodeCursor(deepTrack),
    }),
    get('browse, by title', 'member', tracksContract.listTracks, readTracks, { order: 'title' }),
    get('browse, category', 'member', tracksContract.listTracks, readTracks, {
      category: 'mood-3',
    }),
    get('browse, search', 'member', tracksContract.listTracks, readTracks, { q: 'velvet harb' }),
    get('browse, search, common word', 'member', tracksContract.listTracks, readTracks, {
      q: 'moon',
    }),
    get('browse, search, two letters', 'member', tracksContract.listTracks, readTracks, {
      q: 'ar',
    }),
    get('browse, search, nothing', 'member', tracksContract.listTracks, readTracks, {
      q: 'xylofog',
    }),
    get('browse, search in category', 'member', tracksContract.listTracks, readTracks, {
      q: 'moon',
      category: 'mood-3',
    }),
    get('liked', 'member', tracksContract.listTracks, readTracks, { liked: 'true' }),
    get('categories', 'member', categoriesContract.listCategories, listVisibleCategories, {}),
    get('my playlists', 'member', playlistsContract.listPlaylists, listPlaylists, {}),
    get('curated playlists', 'member', playlistsContract.listPlaylists, listPlaylists, {
      scope: 'curated',
    }),
    get('public playlists', 'member', playlistsContract.listPlaylists, listPlaylists, {
      scope: 'public',
    }),
    get('public playlists, search', 'member', playlistsContract.listPlaylists, listPlaylists, {
      scope: 'public',
      q: 'moon',
    }),
    get(
      'playlist of 100',
      'member',
      playlistsContract.listPlaylistTracks,
      listPlaylistTracks,
      {},
      { id: playlist! },
    ),
    get('recently played', 'member', playsContract.listRecentlyPlayed, listRecentlyPlayed, {}),
    get('admin tracks', 'admin', adminTracksContract.listAdminTracks, listAdminTracks, {}),
    get('admin tracks, deep', 'admin', adminTracksContract.listAdminTracks, listAdminTracks, {
      page: pages(tracks!, 50),
    }),
    get(
      'admin tracks, by title, middle',
      'admin',
      adminTracksContract.listAdminTracks,
      listAdminTracks,
      {
        page: pages(tracks! / 2, 50),
        sort: 'title',
        direction: 'asc',
      },
    ),
    get(
      'admin tracks, by duration',
      'admin',
      adminTracksContract.listAdminTracks,
      listAdminTracks,
      {
        sort: 'duration',
      },
    ),
    get('admin tracks, search', 'admin', adminTracksContract.listAdminTracks, listAdminTracks, {
      q: 'moon',
    }),
    get(
      'admin tracks, drafts of a genre',
      'admin',
      adminTracksContract.listAdminTracks,
      listAdminTracks,
      {
        published: 'false',
        genre: 'Velvet Jazz',
      },
    ),
    get('admin users', 'admin', adminUsersContract.listUsers, listUsers, {}),
    get('admin users, deep', 'admin', adminUsersContract.listUsers, listUsers, {
      page: pages(users!, 20),
    }),
    get('admin users, middle', 'admin', adminUsersContract.listUsers, listUsers, {
      page: pages(users! / 2, 20),
    }),
    get('admin users, search', 'admin', adminUsersContract.listUsers, listUsers, {
      q: 'zeno.young1',
    }),
    get('admin users, search, common', 'admin', adminUsersContract.listUsers, listUsers, {
      q: 'nakamura',
    }),
    get('admin users, search, two letters', 'admin', adminUsersContract.listUsers, listUsers, {
      q: 'an',
    }),
    get('admin users, editors', 'admin', adminUsersContract.listUsers, listUsers, {
      role: 'editor',
    }),
    get('admin users, members', 'admin', adminUsersContract.listUsers, listUsers, {
      role: 'member',
    }),
    get('admin users, banned', 'admin', adminUsersContract.listUsers, listUsers, {
      role: 'banned',
    }),
    get('admin users, active', 'admin', adminUsersContract.listUsers, listUsers, {
      subscription_status: 'active',
    }),
    get('admin users, deletion asked for', 'admin', adminUsersContract.listUsers, listUsers, {
      deletion_requested: 'true',
    }),
    post('admin billing', { action: 'list_subscriptions' }),
    post('admin billing, deep', { action: 'list_subscriptions', page: pages(users!, 50) }),
    post('admin billing, search', { action: 'list_subscriptions', q: 'nakamura' }),
    get('audit log', 'admin', adminAuditContract.listAuditLog, listAuditLog, {}),
    get('audit log, deep', 'admin', adminAuditContract.listAuditLog, listAuditLog, {
      page: pages(entries!, 20),
    }),
    get('audit log, middle', 'admin', adminAuditContract.listAuditLog, listAuditLog, {
      page: pages(entries! / 2, 20),
    }),
    get('audit log, one actor', 'admin', adminAuditContract.listAuditLog, listAuditLog, {
      actor_id: editor!,
    }),
    get('audit log, action and entity', 'admin', adminAuditContract.listAuditLog, listAuditLog, {
      action: 'ban',
      entity: 'user',
    }),
    get('audit log, a month', 'admin', adminAuditContract.listAuditLog, listAuditLog, {
      start_date: '2026-02-01',
      end_date: '2026-02-28',
    }),
    get(
      'admin categories',
      'admin',
      adminCategoriesContract.listAdminCategories,
      listAdminCategories,
      {},
    ),
    get('admin genres', 'admin', adminGenresContract.listGenres, listGenres, {}),
    {
      name: 'admin playlists',
      who: 'admin',
      path: adminPlaylistsContract.changeAdminPlaylists.path,
      body: { action: 'list' },
      run: (ctx) =>
        changeAdminPlaylists(noPictures, ctx, {
          params: undefined,
          query: undefined,
          body: { action: 'list' },
        }),
    },
  ]
}

// Lists don't use the picture service.
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
    // The schema has already parsed the input into the type that the operation takes.
    run: (ctx) => operation(ctx, input as ParsedInput<E>),
  }
}

function post(name: string, body: Record<string, string | number>): ListCase {
  const parsed = z.parse(adminBillingContract.runBillingAction.body!, body)
  const services = {
    stripe: noStripe,
    openCustomerPortal: () => Promise.reject(new Error('not measured')),
    branding: () => ({ brand_name: 'Velour' }),
    sendMail: () => Promise.reject(new Error('not measured')),
  }
  return {
    name,
    who: 'admin',
    path: adminBillingContract.runBillingAction.path,
    body,
    run: (ctx) =>
      runBillingAction(services, ctx, { params: undefined, query: undefined, body: parsed }),
  }
}
