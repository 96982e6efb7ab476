// The services of the platform. `server/services.ts` opens all of them, and adds the services of features.
import type { FastifyBaseLogger } from 'fastify'
import type { BuildVersion } from '../config/build-version.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { Ffmpeg } from '../ffmpeg/ffmpeg.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Replica } from '../replica/replica.ts'
import type { SecretBox } from '../security/secret-box.ts'
import type { DiskWatch } from '../storage/disk-space.ts'
import type { Storage } from '../storage/storage.ts'
import type { FileServer } from '../streaming/file-server.ts'
import type { Tracer } from '../tracing/tracer.ts'

export interface PlatformServices {
  config: Config
  build: BuildVersion
  log: FastifyBaseLogger
  now: () => Date
  /** The connection string of `db`. */
  connectionString: string
  db: Database
  /** A standby for reads. Null if none is configured. */
  replica: Replica | null
  bus: EventBus
  secretBox: SecretBox
  storage: Storage
  /** Serves stored objects. */
  files: FileServer
  ffmpeg: Ffmpeg
  jobs: JobQueue
  /** Sends emails by SMTP or writes them to the outbox folder. Only the mail queue uses it. */
  mailer: Mailer
  disk: DiskWatch
  /** Null if traces are not collected. */
  tracer: Tracer | null
  isStopping: () => boolean
}
