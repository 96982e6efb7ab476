// Importing a whole catalogue from an uploaded archive or from another server. A job of the server does the work; these operations start it, show
// it, and answer its questions.
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

/** File names of track lists. */
export const listName = /\.(?:m3u8?|xspf|csv)$/i

const params = z.object({ id: z.uuid() })

export const importSummary = z.object({
  id: z.uuid(),
  format: z
    .nullable(z.enum(['files', 'catalogue', 'server']))
    .check(
      z.describe(
        '`catalogue`: an export of a Velour service. `server`: the songs of another server. Null: not read yet.',
      ),
    ),
  name: z.string().check(z.describe('The name of the file, or of the host.')),
  server_url: z
    .nullable(z.string())
    .check(z.describe('The address of the other server. Null: it is an archive.')),
  status: z
    .enum(importStatuses)
    .check(
      z.describe(
        '`asking`: everything else is done, and some recordings wait for a decision. `listed`: the songs of a server are known, and none is downloaded before `confirmImport`.',
      ),
    ),
  problem: z.nullable(z.string()).check(z.describe('Why it failed.')),
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
    .check(z.describe('Items of the archive by their state.')),
  can_retry: z
    .boolean()
    .check(
      z.describe(
        'Some items failed, and the archive or the sign-in is still there: `retryImport`.',
      ),
    ),
  made: z
    .record(z.string(), z.number())
    .check(
      z.describe(
        'Number of other things created: artists, releases, playlists, genres, categories.',
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
              '`recording`: the same file. `source`: the same song of a generator. `sound`: another file that sounds the same. `id`: the same id in an export.',
            ),
          ),
      }),
    )
    .check(z.describe('The track that already has this recording.')),
  reason: z.nullable(z.string()),
})
export type ImportItem = z.infer<typeof importItem>

export const listImports = endpoint({
  method: 'GET',
  path: '/api/admin-imports',
  summary: 'The last 20 imports, newest first.',
  access: 'editor',
  output: z.object({ data: z.array(importSummary) }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports',
  summary:
    'Import an uploaded zip archive: recordings as drafts, with the texts and covers beside them, or an export of a Velour service unchanged.',
  access: 'editor',
  creates: true,
  audit: { catalogue: ['import'] },
  body: z.object({
    archive_path: z
      .string()
      .check(z.minLength(1), z.maxLength(300))
      .check(z.describe('`path` of a finished upload into the bucket `archives`.')),
  }),
  output: importSummary,
  rateLimit: { name: 'import', per: 'account', count: 30, seconds: hour },
  errors: ['upload_incomplete', 'upload_used', 'upload_not_found'],
})

export const importAddressMaxLength = 300
export const importSecretMaxLength = 500

const serverLogin = z.union([
  z.object({
    user: z.string().check(z.minLength(1), z.maxLength(importSecretMaxLength)),
    password: z.string().check(z.minLength(1), z.maxLength(importSecretMaxLength)),
  }),
  z.object({
    api_key: z
      .string()
      .check(z.minLength(1), z.maxLength(importSecretMaxLength))
      .check(z.describe('A key of the API there.')),
  }),
])

export const startServerImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/server',
  summary:
    'List the songs of a server that speaks the OpenSubsonic API. They are imported once the list is confirmed. The account there needs the right to download; its sign-in is kept encrypted, and deleted when the import is over: 30 days later if some songs failed, for `retryImport`.',
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

/** Items that can be left out by one call. */
export const maxLeftOut = 5000

export const confirmImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/confirm',
  summary: 'Download and import the songs that were listed on another server.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  body: z.object({
    leave_out: z
      .optional(z.array(z.number().check(z.int())).check(z.maxLength(maxLeftOut)))
      .check(z.describe('Positions of songs that are not wanted.')),
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
      .check(z.describe('The position after which the page begins.')),
  }),
  /** `next_after`: null on the last page. */
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
      .check(z.describe('Absent: all undecided items.')),
  }),
  output: importSummary,
  errors: ['import_not_found', 'import_over'],
})

export const stopImport = endpoint({
  method: 'POST',
  path: '/api/admin-imports/:id/stop',
  summary: 'Stop an import. Imported items are kept; the archive is deleted.',
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
    'Import the items that failed once more. What was imported is not imported again. The archive is kept for 30 days while some have failed.',
  access: 'editor',
  audit: { catalogue: ['import'] },
  params,
  body: z.object({
    positions: z
      .optional(z.array(z.number().check(z.int())).check(z.minLength(1), z.maxLength(1000)))
      .check(z.describe('Absent: all that failed.')),
  }),
  output: importSummary,
  errors: ['import_not_found', 'import_nothing_to_retry'],
})

export const importTrackList = endpoint({
  method: 'POST',
  path: '/api/admin-imports/list',
  summary:
    'Create a hidden curated playlist from a list in M3U, XSPF or CSV. Its entries are looked up in the library by title and artist, or by file name.',
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
  /** `found` of `total` entries are in the playlist. */
  output: z.object({ id: z.uuid(), title: z.string(), found: z.number(), total: z.number() }),
  errors: ['list_empty'],
})
