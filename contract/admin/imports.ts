// Imports of an entire catalogue from an uploaded archive or another server. A background job does the work; these
// operations start it, report its progress and answer its questions.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { hour } from '../rate-limit.ts'

export const importStatuses = [
  'waiting',
  'running',
  'listed',
  'asking',
  'done',
  'failed',
  'stopped',
] as const
export const importItemStatuses = ['waiting', 'done', 'known', 'failed', 'left_out'] as const
export type ImportItemStatus = (typeof importItemStatuses)[number]
export const importDecisions = ['keep', 'replace', 'skip'] as const
export type ImportDecision = (typeof importDecisions)[number]

/** File extensions of track lists. */
export const listName = /\.(?:m3u8?|xspf|csv)$/i

const params = z.object({ id: z.uuid() })

export const importSummary = z.object({
  id: z.uuid(),
  format: z
    .nullable(z.enum(['files', 'catalogue', 'server']))
    .check(
      z.describe(
        '`catalogue`: an export of a Velour service. `server`: songs of another server. Null if the archive has not been read yet.',
      ),
    ),
  name: z.string().check(z.describe('The name of the file or of the host.')),
  server_url: z
    .nullable(z.string())
    .check(z.describe('The address of the other server. Null for an archive.')),
  status: z
    .enum(importStatuses)
    .check(
      z.describe(
        "`asking`: only recordings that need a decision are left. `listed`: the server's songs are known, and the download waits for `confirmImport`.",
      ),
    ),
  problem: z.nullable(z.string()).check(z.describe('Why the import failed.')),
  created_at: timestamp,
  finished_at: z.nullable(timestamp),
  counts: z
    .object({
      waiting: z.number(),
      done: z.number(),
      known: z.number(),
      failed: z.number(),
      left_out: z.number(),
    })
    .check(z.describe('Items of the import by state.')),
  can_retry: z
    .boolean()
    .check(
      z.describe(
        'Whether `retryImport` is possible: some items failed, and the archive or the credentials are still stored.',
      ),
    ),
  made: z
    .record(z.string(), z.number())
    .check(
      z.describe(
        'Number of other objects created: artists, releases, playlists, genres and categories.',
      ),
    ),
})
export type ImportSummary = z.infer<typeof importSummary>

export const importItem = z.object({
  position: z.number(),
  kind: z.enum(['recording', 'picture', 'list']),
  path: z.string(),
  name: z.string(),
  status: z.enum(importItemStatuses),
  decision: z.nullable(z.enum(importDecisions)),
  track_id: z.nullable(z.uuid()),
  known: z
    .nullable(
      z.object({
        id: z.uuid(),
        title: z.string(),
        artist: z.string(),
        by: z
          .enum(['recording', 'source', 'sound', 'id'])
          .check(
            z.describe(
              '`recording`: the same file. `source`: the same song of an AI tool, as another file. `sound`: another file that sounds the same. `id`: the same id in an export.',
            ),
          ),
      }),
    )
    .check(z.describe('The existing track with this recording.')),
  reason: z.nullable(z.string()),
})
export type ImportItem = z.infer<typeof importItem>

export const listImports = endpoint({
  method: 'GET',
  path: '/api/admin-imports',
  summary: 'The 20 most recent imports, newest first.',
  access: 'editor',
  output: z.object({ data: z.array(importSummary) }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports',
  summary:
    'Import an uploaded zip archive. Recordings become drafts, with the texts and covers stored next to them. An export of a Velour service is imported unchanged.',
  access: 'editor',
  creates: true,
  audit: { catalogue: ['import'] },
  body: z.object({
    archive_path: z
      .string()
      .check(z.minLength(1), z.maxLength(300))
      .check(z.describe('The `path` of a completed upload to the bucket `archives`.')),
  }),
  output: importSummary,
  rateLimit: { name: 'import', per: 'account', count: 30, seconds: hour },
  errors: ['upload_incomplete', 'upload_used', 'upload_not_found'],
})

export const importAddressMaxLength = 300
export const importSecretMaxLength = 500

const serverLogin = z.union([
  z.object({
    user: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(importSecretMaxLength),
        z.describe('The user name on the other server.'),
      ),
    password: z.string().check(z.minLength(1), z.maxLength(importSecretMaxLength)),
  }),
  z.object({
    api_key: z
      .string()
      .check(z.minLength(1), z.maxLength(importSecretMaxLength))
      .check(z.describe('An API key of the other server.')),
  }),
])

export const startServerImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/server',
  summary:
    'List the songs of a server that supports the OpenSubsonic API. They are imported once the list is confirmed. The account there needs permission to download. Its credentials are stored encrypted and deleted when the import ends, or 30 days later if some songs failed, so that they can be retried.',
  access: 'editor',
  creates: true,
  audit: { catalogue: ['import'] },
  body: z.object({
    address: z
      .string()
      .check(
        z.trim(),
        z.maxLength(importAddressMaxLength),
        z.url({ protocol: /^https?$/, error: 'Enter an address that starts with https://' }),
      )
      .register(z.globalRegistry, {
        description: 'The address of the server, with or without `/rest`.',
        examples: ['https://music.example.com'],
      }),
    login: serverLogin.check(z.describe('The account on the other server.')),
  }),
  output: importSummary,
  rateLimit: { name: 'import', per: 'account', count: 30, seconds: hour },
  errors: ['import_url_refused', 'import_url_private'],
})

/** Maximum number of items that one request can exclude from the import. */
export const maxLeftOut = 5000

export const confirmImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/confirm',
  summary: 'Download and import the listed songs of another server.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  body: z.object({
    leave_out: z
      .optional(z.array(z.number().check(z.int())).check(z.maxLength(maxLeftOut)))
      .check(z.describe('Positions of songs to leave out.')),
  }),
  output: importSummary,
  errors: ['import_not_found', 'import_over', 'import_not_listed'],
})

export const importItemsPageSize = 100

export const listImportItems = endpoint({
  method: 'GET',
  path: '/api/admin-imports/:id/items',
  summary: 'The recordings, pictures and lists of an import, in order.',
  access: 'editor',
  params,
  query: z.object({
    status: z.optional(z.enum(importItemStatuses)),
    after: z
      ._default(z.coerce.number().check(z.int(), z.minimum(0)), 0)
      .check(z.describe('Return the items after this position.')),
  }),
  /** `next_after` is null on the last page. */
  output: z.object({ data: z.array(importItem), next_after: z.nullable(z.number()) }),
  errors: ['import_not_found'],
})

export const decideImportItems = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/decisions',
  summary:
    'Decide about recordings that already exist: skip them, keep them as separate tracks, or replace the existing recordings.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  body: z.object({
    decision: z.enum(importDecisions),
    positions: z
      .optional(z.array(z.number().check(z.int())).check(z.minLength(1), z.maxLength(1000)))
      .check(z.describe('If absent, all undecided items.')),
  }),
  output: importSummary,
  errors: ['import_not_found', 'import_over'],
})

export const stopImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/stop',
  summary: 'Stop an import. Items already imported are kept, and the archive is deleted.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  output: importSummary,
  errors: ['import_not_found', 'import_over'],
})

export const retryImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/retry',
  summary:
    'Retry the failed items of an import. Items already imported are not imported again. While items have failed, the archive is kept for 30 days.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  body: z.object({
    positions: z
      .optional(z.array(z.number().check(z.int())).check(z.minLength(1), z.maxLength(1000)))
      .check(z.describe('If absent, all failed items.')),
  }),
  output: importSummary,
  errors: ['import_not_found', 'import_nothing_to_retry'],
})

export const importTrackList = endpoint({
  method: 'POST',
  path: '/api/admin-imports/list',
  summary:
    'Create a hidden curated playlist from an M3U, XSPF or CSV list. Entries are matched with tracks in the library by title and artist, or by file name.',
  access: 'editor',
  creates: true,
  audit: { playlist: ['create'] },
  body: z.object({
    filename: z
      .string()
      .check(z.maxLength(255), z.regex(listName, 'Choose an M3U, XSPF or CSV file'))
      .register(z.globalRegistry, { examples: ['late-night.m3u'] }),
    text: z.string().check(z.maxLength(700_000)),
  }),
  /** `found` of `total` entries were added to the playlist. */
  output: z.object({ id: z.uuid(), title: z.string(), found: z.number(), total: z.number() }),
  errors: ['list_empty'],
})
