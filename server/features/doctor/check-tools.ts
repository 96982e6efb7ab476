// Checks of `npm run doctor` for ffmpeg and the mail server.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { mailFailureTexts } from '#contract/mail/mail-server.ts'
import { findPublicSetting, type Config } from '../../platform/config/config.ts'
import { testMail } from '../../platform/mail/mail-texts.ts'
import { defaultMailAccent } from '../../platform/mail/mail-layout.ts'
import { readMailFailure } from '../../platform/mail/mail-failure.ts'
import { createMailer, verifySmtp, type SmtpServer } from '../../platform/mail/mailer.ts'
import { readMailSettings, smtpAddress } from '../settings/mail-settings.ts'
import { createFfmpeg } from '../../platform/ffmpeg/ffmpeg.ts'
import { renderRenditions } from '../../platform/ffmpeg/renditions.ts'
import { note, ok, problem, type CheckContext, type Finding } from './finding.ts'

export async function checkFfmpeg({ config }: CheckContext): Promise<Finding> {
  const ffmpeg = await createFfmpeg({ ffmpegPath: config.ffmpegPath ?? undefined })
  const folder = await mkdtemp(join(tmpdir(), 'velour-doctor-'))
  try {
    const path = join(folder, 'silence.wav')
    const high = join(folder, 'high.m4a')
    await writeFile(path, silentWav())
    await renderRenditions(ffmpeg, {
      source: { path, format: 'wav', channels: 2, sampleRate },
      outputs: { high },
      tags: { title: 'Test', artist: 'Velour', ai_disclosure: 'human' },
      timeoutMs: 60_000,
    })
    await stat(high)
  } finally {
    await rm(folder, { recursive: true })
  }
  const what = `${ffmpeg.backend === 'native' ? 'ffmpeg' : 'the bundled WebAssembly ffmpeg'} ${ffmpeg.version} reads WAV and encodes AAC`
  if (ffmpeg.backend === 'native' || config.ffmpegPath === 'wasm') return ok(what)
  return note(`${what}, but slowly: install ffmpeg 5.1 or newer, or set FFMPEG_PATH to one.`)
}

const sampleRate = 44_100

/** A WAV file with half a second of silence: 16-bit stereo PCM. */
function silentWav(): Buffer {
  const data = Buffer.alloc(sampleRate * 2)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(2, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 4, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

export async function checkMail(context: CheckContext): Promise<Finding> {
  const { config, mailTo } = context
  const { smtpUrl, dataDir } = config
  if (smtpUrl === null) {
    const saved = await findSavedServer(context)
    if (saved !== null) return checkSavedServer(saved)
    if (mailTo !== null) return problem('SMTP_URL is not set, so no email can be sent: set it.')
    const outbox = `SMTP_URL is not set: emails are written to ${join(dataDir, 'outbox')}`
    return findPublicSetting(config) === null
      ? ok(outbox)
      : note(`${outbox}, so nobody receives them. Set SMTP_URL.`)
  }
  const { host } = new URL(smtpUrl)
  try {
    if (mailTo === null) {
      await verifySmtp(smtpUrl)
      return ok(`${host} accepts email; npm run doctor -- --mail ADDRESS sends a test message`)
    }
    await sendTestMail(config, mailTo)
    return ok(`${host} accepted a test message for ${mailTo}: check that it arrives`)
  } catch (error) {
    return problem(explainMailError(error, config, mailTo))
  }
}

/** The mail server that was entered in the back office. Null if there is none, or if it cannot be decrypted yet. */
async function findSavedServer({
  config,
  db,
  secretBox,
}: CheckContext): Promise<SmtpServer | null> {
  if (!db || !secretBox) return null
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('mail_settings') is not null as exists`.execute(db.query)
  if (!rows[0]?.exists) return null
  const address = smtpAddress(config, await readMailSettings(db), secretBox)
  return typeof address === 'string' ? null : address
}

async function checkSavedServer(server: SmtpServer): Promise<Finding> {
  const name = `${server.host}:${server.port}`
  try {
    await verifySmtp(server)
    return ok(`${name} accepts email; System Settings → Email sends a test email`)
  } catch (error) {
    const { reason, reply } = readMailFailure(error)
    const said = reply === null ? '' : ` (${reply})`
    return problem(
      `${name}: ${mailFailureTexts[reason]}${said} Change it in System Settings → Email.`,
    )
  }
}

async function sendTestMail(config: Config, to: string): Promise<void> {
  const { smtpUrl, dataDir, mailFrom: from, brandName } = config
  const look = () => ({ from, brandName, accent: defaultMailAccent, picture: null })
  const log = pino({ level: 'silent' })
  const outboxDir = join(dataDir, 'outbox')
  const mailer = await createMailer({
    smtp: () => smtpUrl,
    outboxDir,
    look,
    secretBox: null,
    log,
  })
  try {
    await mailer.send(testMail(to, config))
  } finally {
    mailer.close()
  }
}

function explainMailError(error: unknown, config: Config, mailTo: string | null): string {
  const { host, username } = new URL(config.smtpUrl!)
  const read = (name: string) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
    return typeof value === 'string' ? value.trim().split('\n')[0]! : ''
  }
  const reply = read('response') || read('message')
  switch (read('code')) {
    case 'EAUTH':
      return username
        ? `SMTP_URL: ${host} refuses the user "${decodeURIComponent(username)}" or the password (${reply}). Check both.`
        : `SMTP_URL: ${host} requires a user name and a password (${reply}). Put them into the address: smtps://user:password@${host}`
    case 'EENVELOPE':
      return `${host} refuses the message from ${config.mailFrom} to ${mailTo} (${reply}). Check MAIL_FROM and the address.`
    case 'EMESSAGE':
      return `${host} refuses the message (${reply}). Check MAIL_FROM, and what that server requires of messages.`
    case 'ETLS':
      return `SMTP_URL: the connection to ${host} cannot be encrypted (${reply}). Check the port, and whether the address needs smtp: or smtps:.`
    default:
      return `SMTP_URL: no mail server answers at ${host} (${reply}). Check the host, the port (587 with smtp:, 465 with smtps:) and the firewall.`
  }
}
