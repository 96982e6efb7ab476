// Tables for uploads, imports, files, backups, instances and webhooks.
import type { Generated, JSONColumnType } from 'kysely'
import type { FileProblem } from '#contract/fields/stored-files.ts'
import type { Bucket } from '#contract/uploads.ts'
import type {
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEventType,
} from '#contract/webhook-events.ts'

interface Uploads {
  id: Generated<string>
  user_id: string
  bucket: Bucket
  path: string
  filename: string
  mime: string
  byte_size: number | null
  status: Generated<'open' | 'complete' | 'used'>
  sha256: string | null
  token_hash: string
  expires_at: string
  created_at: Generated<string>
  store_upload_id: string | null
  part_bytes: number | null
}

interface Backups {
  id: Generated<string>
  created_at: Generated<string>
  byte_size: number
  object_count: number
  missing_count: Generated<number>
}

interface BackupRuns {
  id: Generated<string>
  started_at: Generated<string>
  seen_at: Generated<string>
  finished_at: string | null
  result: 'complete' | 'incomplete' | 'failed' | null
  error: string | null
  files_done: Generated<number>
  files_total: number | null
}

interface Instances {
  id: string
  host: string
  role: 'web' | 'worker' | 'all'
  version: string
  commit: string | null
  started_at: string
  seen_at: Generated<string>
  free_bytes: number
  total_bytes: number
  folder: Generated<string>
}

interface Alerts {
  name: string
  message: string
  began_at: Generated<string>
  notified_at: string | null
}

interface WebhookEndpoints {
  id: Generated<string>
  url: string
  description: Generated<string>
  event_types: WebhookEventType[]
  secret_sealed: string
  old_secret_sealed: string | null
  old_secret_until: string | null
  /** Why the endpoint is disabled. Null if it is enabled. */
  disabled_reason: WebhookDisabledReason | null
  disabled_at: string | null
  failing_since: string | null
  created_at: Generated<string>
}

/** Events to send to webhook endpoints. Triggers add rows. */
interface WebhookEvents {
  id: Generated<string>
  type: string
  data: JSONColumnType<Record<string, unknown>, string, string>
  user_id: string | null
  created_at: Generated<string>
}

/** One delivery per event and endpoint. Triggers add rows. */
interface WebhookDeliveries {
  id: Generated<string>
  endpoint_id: string
  event_id: string
  state: Generated<WebhookDeliveryState>
  attempts: Generated<number>
  retries: Generated<number>
  next_attempt_at: string | null
  created_at: Generated<string>
}

interface WebhookAttempts {
  delivery_id: string
  number: number
  started_at: Generated<string>
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
}

interface Installation {
  is_only: Generated<boolean>
  id: Generated<string>
  secret_check: Generated<string>
  storage_marked_at: string | null
}

interface TrafficCounts {
  key: string
  count: number
  resets_at: string
}

interface WebAssets {
  path: string
  bytes: Buffer
  served_at: Generated<string>
}

interface StorageGarbage {
  storage_key: string
  delete_after: Generated<string>
}

interface Imports {
  id: Generated<string>
  format: 'files' | 'catalogue' | 'server' | null
  name: string
  status: Generated<'waiting' | 'running' | 'listed' | 'asking' | 'done' | 'failed' | 'stopped'>
  problem: string | null
  upload_id: string | null
  server_url: string | null
  server_login_sealed: string | null
  started_by: string | null
  ip_address: string
  made: JSONColumnType<Record<string, number>, string | undefined, string>
  created_at: Generated<string>
  finished_at: string | null
}

interface ImportItems {
  import_id: string
  position: number
  kind: 'recording' | 'picture' | 'list'
  path: string
  name: string
  status: Generated<'waiting' | 'done' | 'known' | 'failed' | 'left_out'>
  data: JSONColumnType<object, string | undefined, string>
  decision: 'keep' | 'replace' | 'skip' | null
  track_id: string | null
  known_track_id: string | null
  known_by: 'recording' | 'source' | 'sound' | 'id' | null
  reason: string | null
}

interface StoredFiles {
  storage_key: string
  byte_size: number | null
  sha256: string | null
  checked_at: string | null
  problem: FileProblem | null
  repair_queued_at: string | null
}

interface FileChecks {
  id: Generated<string>
  started_at: Generated<string>
  finished_at: string | null
  checked_count: Generated<number>
  orphan_count: Generated<number>
  damaged_count: number | null
}

export interface ServiceTables {
  uploads: Uploads
  backups: Backups
  backup_runs: BackupRuns
  instances: Instances
  installation: Installation
  alerts: Alerts
  webhook_endpoints: WebhookEndpoints
  webhook_events: WebhookEvents
  webhook_deliveries: WebhookDeliveries
  webhook_attempts: WebhookAttempts
  web_assets: WebAssets
  traffic_counts: TrafficCounts
  storage_garbage: StorageGarbage
  imports: Imports
  import_items: ImportItems
  stored_files: StoredFiles
  file_checks: FileChecks
}
