// One-click unsubscribe (RFC 8058). A mail client posts to the address in the header. A person opens the same address,
// reads which emails will stop, and confirms. No sign-in is required. Opening the page changes nothing, because link
// scanners also open it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newsPreferencesPath, type ConsentWay } from '#contract/news.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { renderFrame, renderNote, type PageFrame } from '../public-pages/render-page.ts'
import { html } from '../public-pages/html.ts'
import { saveNewsChoices } from './news-preferences.ts'

export type MailSubject = 'releases' | 'announcements' | 'figures'

export interface UnsubscribeServices {
  db: Database
  secretBox: SecretBox
}

const mark = 'unsubscribe'
const figureSettingsPath = '/admin/settings?tab=mail'

/**
 * Creates a link with an encrypted token for the person and the kind of email. Links cannot be forged, and URLs in logs
 * do not identify anyone.
 */
export function createUnsubscribeLink(
  { publicUrl, secretBox }: { publicUrl: string; secretBox: Pick<SecretBox, 'seal'> },
  userId: string,
  subject: MailSubject,
): string {
  return `${publicUrl}/unsubscribe/${secretBox.seal(`${mark} ${userId} ${subject}`)}`
}

function decryptToken(
  secretBox: Pick<SecretBox, 'open'>,
  token: string,
): { userId: string; subject: MailSubject } | null {
  const [prefix, userId = '', subject] = (secretBox.open(token) ?? '').split(' ')
  if (prefix !== mark) return null
  return subject !== undefined && Object.hasOwn(names, subject)
    ? { userId, subject: subject as MailSubject }
    : null
}

const names: Record<MailSubject, string> = {
  releases: 'emails about releases',
  announcements: 'announcement emails',
  figures: 'weekly statistics emails',
}

export async function unsubscribeRoutes(
  app: FastifyInstance,
  services: UnsubscribeServices,
  frame: () => PageFrame,
): Promise<void> {
  await app.register(async (scope) => {
    // Mail clients send one of these two form types (RFC 8058 §3.1). The body always contains the same single field, so
    // it is not parsed.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      scope.addContentTypeParser(
        type,
        { parseAs: 'string', bodyLimit: 10_000 },
        (_request, body, done) => done(null, body),
      )
    }
    scope.get('/unsubscribe/:token', (request, reply) => {
      const token = decryptToken(services.secretBox, tokenOf(request))
      return send(
        reply,
        token ? renderConfirmPage(frame(), names[token.subject]) : renderInvalidPage(frame()),
        {
          status: token ? 200 : 404,
        },
      )
    })
    scope.post('/unsubscribe/:token', async (request, reply) => {
      const token = decryptToken(services.secretBox, tokenOf(request))
      if (!token) return send(reply, renderInvalidPage(frame()), { status: 404 })
      await unsubscribe(services, token, getConsentWay(request))
      return send(reply, renderDonePage(frame(), token.subject))
    })
  })
}

const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

/**
 * Returns how the person unsubscribed, for the consent record. Our page sends an empty form; mail clients send the
 * field `List-Unsubscribe` (RFC 8058).
 */
function getConsentWay({ body }: FastifyRequest): ConsentWay {
  return String(body).includes('List-Unsubscribe') ? 'mail_program' : 'mail_link'
}

/** Stops this kind of email. Does nothing if the account has been deleted. */
async function unsubscribe(
  { db }: UnsubscribeServices,
  { userId, subject }: { userId: string; subject: MailSubject },
  way: ConsentWay,
): Promise<void> {
  if (subject === 'figures') return turnOffStatisticsEmails(db, userId)
  const choices =
    subject === 'releases' ? { release_mail: 'off' as const } : { announcements: false }
  await transaction(db, async (trx) => void (await saveNewsChoices(trx, userId, choices, way)))
}

async function turnOffStatisticsEmails(db: Database, userId: string): Promise<void> {
  await db.query
    .insertInto('figure_mail_refusals')
    .columns(['user_id'])
    .expression((query) => query.selectFrom('profiles').select('id').where('id', '=', userId))
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

function send(reply: FastifyReply, text: string, { status = 200 } = {}): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(text)
}

function renderConfirmPage(frame: PageFrame, kind: string): string {
  const { brand_name } = frame.branding
  const main = html`<main class="note">
    <h1>Unsubscribe?</h1>
    <p>
      You get ${kind} from ${brand_name}. Your account and the artists you follow do not change.
    </p>
    <form method="post" class="actions">
      <button type="submit" class="button button-main">Stop ${kind}</button>
    </form>
  </main>`
  return renderPage(frame, main)
}

function renderDonePage(frame: PageFrame, subject: MailSubject): string {
  const preferences = subject === 'figures' ? figureSettingsPath : newsPreferencesPath
  const main = html`<main class="note">
    <h1>Unsubscribed</h1>
    <p>You get no more ${names[subject]} from ${frame.branding.brand_name}.</p>
    <p class="actions">
      <a class="button button-main" href="${preferences}">Change your preferences</a>
    </p>
  </main>`
  return renderPage(frame, main)
}

function renderInvalidPage(frame: PageFrame): string {
  return renderNote(frame, {
    title: 'This link does not work',
    text: 'It may be incomplete. Sign in and change your choices under News in your profile.',
  })
}

function renderPage(frame: PageFrame, main: ReturnType<typeof html>): string {
  const head = html`<meta name="robots" content="noindex" />`
  const title = `Unsubscribe · ${frame.branding.brand_name}`
  return renderFrame({ ...frame, title, head, appPath: null }, main)
}
