// Opens all services of the server in order, and closes them in reverse order.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createAuth, type Auth } from './features/auth/auth.ts'
import { createStripeAccess, type StripeAccess } from './features/billing/stripe-client.ts'
import { readBuildVersion } from './platform/config/build-version.ts'
import type { Config } from './platform/config/config.ts'
import { prepareDatabase, type DatabaseAddresses } from './platform/db/app-rights.ts'
import { createDatabase, type Database } from './platform/db/database.ts'
import type { MailSettingsRow } from './platform/db/tables.ts'
import { perObject } from './platform/process/per-object.ts'
import type { SecretBox } from './platform/security/secret-box.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { createHiddenCovers, type HiddenCovers } from './features/pictures/hidden-covers.ts'
import { createJpegPictures, type JpegPictures } from './features/pictures/jpeg-pictures.ts'
import { createReplica, type Replica } from './platform/replica/replica.ts'
import { openEventBus, type EventBus } from './platform/events/event-bus.ts'
import { openJobQueue } from './platform/jobs/job-queue.ts'
import { createMailQueue } from './platform/mail/mail-queue.ts'
import { createMailer, type Mailer } from './platform/mail/mailer.ts'
import { createFileServer } from './platform/streaming/file-server.ts'
import { createTracer } from './platform/tracing/tracer.ts'
import { createFfmpeg } from './platform/ffmpeg/ffmpeg.ts'
import type { PictureServices } from './features/pictures/store-picture.ts'
import { createSentAudio, type SentAudio } from './features/plays/sent-audio.ts'
import { createCallers, type Callers } from './features/keys/callers.ts'
import { createKeyCheck, type KeyCheck } from './features/keys/key-check.ts'
import { createPlayerPlaces, type PlayerPlaces } from './features/playing/player-places.ts'
import { resealAll } from './features/settings/reseal.ts'
import { createReadBranding, mailLook, type ReadBranding } from './features/settings/branding.ts'
import { smtpAddress } from './features/settings/mail-settings.ts'
import { createSettingsCache, type SettingsCache } from './features/settings/settings-cache.ts'
import { createOwnerCheck } from './features/setup/owner-check.ts'
import { createSetupCode, type SetupCode } from './features/setup/setup-code.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { createHomeShelves, type HomeShelves } from './features/home/home-shelves.ts'
import { createBrowseLists, type BrowseLists } from './features/browse/browse-lists.ts'
import { createShowcase, type Showcase } from './features/tracks/showcase.ts'
import type { PlatformServices } from './platform/start/platform-services.ts'
import { makeDataFolder } from './platform/start/start-checks.ts'
import { openSecrets } from './platform/security/secret-check.ts'
import { matchStorage } from './platform/storage/storage-match.ts'
import { watchDisk, type Statfs } from './platform/storage/disk-space.ts'
import { startHeartbeat, type Heartbeat } from './features/system/instance-heartbeat.ts'

/** The services of the platform, and the services of features that are opened once per process. */
export interface Services extends PlatformServices {
  settings: SettingsCache
  branding: ReadBranding
  pictures: PictureServices
  showcase: Showcase
  places: PlayerPlaces
  sentAudio: SentAudio
  browse: BrowseLists
  home: HomeShelves
  hiddenCovers: HiddenCovers
  jpegs: JpegPictures
  auth: Auth
  keys: KeyCheck
  callers: Callers
  heartbeat: Heartbeat
  stripe: StripeAccess
  demoProgress: () => { tracks_ready: number; tracks_total: number } | null
  setupCode: SetupCode
  /** Whether the service has an admin. */
  hasOwner: () => Promise<boolean>
}

export interface RunningServices {
  services: Services
  /** Begins the shutdown: the readiness check fails from now on, and running jobs return to the queue. */
  beginShutdown: () => void
  /** Closes all services, the database last. Unfinished jobs return to the queue. */
  close: () => Promise<void>
}

interface StartOptions {
  now?: () => Date
  statfs?: Statfs
  progress?: (step: string) => void
  /**
   * If it is aborted, the start ends before its next long step: everything is closed, and the signal's reason is
   * thrown.
   */
  stopSignal?: AbortSignal
}

/**
 * Starts the embedded database (unless an external one is configured), migrates the schema and opens every service.
 * Throws a ConfigError or DatabaseStartError with a message for the operator.
 */
export async function startServices(
  config: Config,
  log: FastifyBaseLogger,
  options: StartOptions = {},
): Promise<RunningServices> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    return await openAll(config, log, { ...options, closers, close })
  } catch (error) {
    await close()
    throw error
  }
}

async function openAll(
  config: Config,
  log: FastifyBaseLogger,
  options: StartOptions & { closers: (() => Promise<void>)[]; close: () => Promise<void> },
): Promise<RunningServices> {
  const { closers, now = () => new Date() } = options
  // Checked before the database starts, so that an invalid setting leaves nothing behind.
  const ffmpeg = await createFfmpeg({ ffmpegPath: config.ffmpegPath ?? undefined, log })
  const { connectionString, db } = await openDatabase(config, log, options)
  const storage = await openStorage(config)
  closers.push(() => storage.close())
  // Compared before the secret, because a wrong data folder also contains a wrong secret.
  await matchStorage({ db, storage, log }, config)
  const { secrets, secretBox } = await openSecrets(db, config, log)
  const bus = await openEventBus({ connectionString, log })
  closers.push(() => bus.close())
  const replica = openReplica(config, { primary: db, bus, log })
  closers.push(async () => replica?.close())
  const settings = await createSettingsCache(db, bus, log)
  closers.push(async () => settings.close())
  const branding = createReadBranding(config, settings)
  const sentAudio = createSentAudio({ db, log })
  closers.push(() => sentAudio.stop())
  const files = createFileServer({ storage, log })
  closers.push(() => files.stop())
  const mailer = await openMailer(config, { settings, branding, secretBox, log })
  closers.push(async () => mailer.close())
  const disk = watchDisk({ folder: config.dataDir, log, statfs: options.statfs })
  closers.push(async () => disk.stop())
  const build = readBuildVersion(config)
  const heartbeat = startHeartbeat({ db, disk, config, build, log })
  closers.push(() => heartbeat.stop())
  const tracer = config.traces ? createTracer(config.traces, log) : null
  closers.push(async () => tracer?.stop())
  const jobs = await openJobQueue({ connectionString, log, tracer })
  closers.push(() => jobs.stop())
  if (secrets.length > 1) await resealAll({ db, secretBox, secrets, log })
  const mails = createMailQueue({ db, jobs, secretBox, mailer, now })
  const auth = openAuth({ config, branding, secrets, db, bus, mails, log, now }, settings)

  let stopping = false
  const services: Services = {
    config,
    build,
    log,
    now,
    connectionString,
    db,
    replica,
    bus,
    settings,
    branding,
    secretBox,
    storage,
    pictures: { db, storage },
    files,
    ...createCaches(db, bus, branding),
    jpegs: createJpegPictures({ storage }),
    sentAudio,
    ffmpeg,
    jobs,
    mailer,
    auth,
    ...openCallers({ db, bus, secretBox, now, log, sessions: auth }),
    disk,
    tracer,
    heartbeat,
    stripe: createStripeAccess(config, settings, secretBox),
    demoProgress: () => null,
    setupCode: await createSetupCode(db, secrets[0], config.publicUrl),
    hasOwner: createOwnerCheck(db),
    isStopping: () => stopping,
  }
  const beginShutdown = () => {
    stopping = true
    jobs.interrupt()
  }
  return { services, beginShutdown, close: options.close }
}

async function openDatabase(
  config: Config,
  log: FastifyBaseLogger,
  options: StartOptions & { closers: (() => Promise<void>)[] },
): Promise<{ connectionString: string; db: Database }> {
  const { closers, progress, stopSignal } = options
  makeDataFolder(config.dataDir)
  const addresses = config.databaseUrl
    ? { app: config.databaseUrl, owner: config.databaseOwnerUrl ?? config.databaseUrl }
    : await startOwnDatabase(config, log, options)
  stopSignal?.throwIfAborted()
  progress?.('Bringing the database up to date')
  await prepareDatabase(addresses, { log })
  stopSignal?.throwIfAborted()
  const connectionString = addresses.app
  const db = createDatabase({ connectionString, maxConnections: config.databasePoolSize, log })
  closers.push(() => db.close())
  return { connectionString, db }
}

function openAuth(parts: Parameters<typeof createAuth>[0], settings: SettingsCache): Auth {
  const adminsNeedTwoFactor = () => settings.current().admins_need_two_factor
  return createAuth({ ...parts, adminsNeedTwoFactor })
}

function createCaches(
  db: Database,
  bus: EventBus,
  branding: ReadBranding,
): Pick<Services, 'showcase' | 'places' | 'browse' | 'home' | 'hiddenCovers'> {
  return {
    showcase: createShowcase(db, bus, branding),
    places: createPlayerPlaces({ db, bus }),
    browse: createBrowseLists(db, bus),
    home: createHomeShelves(db, bus),
    hiddenCovers: createHiddenCovers({ db, bus }),
  }
}

function openCallers(
  parts: Parameters<typeof createKeyCheck>[0] & { sessions: Pick<Auth, 'findActor'> },
): Pick<Services, 'keys' | 'callers'> {
  const keys = createKeyCheck(parts)
  return { keys, callers: createCallers({ ...parts, keys }) }
}

function openMailer(
  config: Config,
  parts: {
    settings: SettingsCache
    branding: ReadBranding
    secretBox: SecretBox
    log: FastifyBaseLogger
  },
): Promise<Mailer> {
  const { settings, branding, secretBox, log } = parts
  const addressOf = perObject((row: MailSettingsRow) => smtpAddress(config, row, secretBox))
  return createMailer({
    smtp: () => addressOf(settings.mail()),
    outboxDir: join(config.dataDir, 'outbox'),
    look: () => ({
      ...mailLook(config, branding(), settings.mail()),
      words: (kind) => settings.mailWords().get(kind),
      bounceAddress: config.bounceAddress ?? settings.bounces().bounce_address ?? undefined,
    }),
    secretBox,
    log,
  })
}

function openReplica(
  { databaseReplicaUrl, databasePoolSize, role }: Config,
  parts: { primary: Database; bus: EventBus; log: FastifyBaseLogger },
): Replica | null {
  if (databaseReplicaUrl === null || role === 'worker') return null
  const connectionString = databaseReplicaUrl
  return createReplica({ ...parts, connectionString, maxConnections: databasePoolSize })
}

async function startOwnDatabase(
  config: Config,
  log: FastifyBaseLogger,
  options: { progress?: (step: string) => void; closers: (() => Promise<void>)[] },
): Promise<DatabaseAddresses> {
  options.progress?.('Starting the database')
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  options.closers.push(() => postgres.stop())
  if (postgres.adopted) log.info('took over the database of a server that was killed')
  return postgres
}
