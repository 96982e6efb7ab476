// Creates bounces and other reports about emails, as mail servers send them.
import type { Email } from 'postal-mime'

/** Returns the header of an email, as a report contains it. */
export const formatHeader = ({ headerLines }: Email) =>
  headerLines.map(({ line }) => line).join('\r\n')

interface Report {
  /** The header of the email that the report is about. */
  head: string
  /** The fields of each recipient, without the first one (RFC 3464 §2.3). */
  recipients: Record<string, string>[]
  returnedType?: string
  /** Additional header fields of the report itself. */
  header?: string
}

const from = 'From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered Mail Returned to Sender\r\n'

export function createDeliveryReport({
  head,
  recipients,
  returnedType = 'message/rfc822',
  header = '',
}: Report): string {
  const fields = recipients.map((recipient) =>
    Object.entries(recipient)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n'),
  )
  const body = returnedType === 'message/rfc822' ? '\r\n\r\nThe text of the email.' : ''
  return [
    `${from}${header}MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status;\r\n boundary="=_b"\r\n`,
    '--=_b\r\nContent-Type: text/plain\r\n\r\nI am sorry to inform you.',
    `--=_b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n${fields.join('\r\n\r\n')}\r\n`,
    `--=_b\r\nContent-Type: ${returnedType}\r\n\r\n${head}${body}`,
    '--=_b--\r\n',
  ].join('\r\n')
}

export const noSuchPerson = (to: string) => ({
  'Final-Recipient': `rfc822; ${to}`,
  Action: 'failed',
  Status: '5.1.1',
  'Diagnostic-Code': `smtp; 550 5.1.1 <${to}>: no such person`,
})

export function createFeedbackReport(head: string, type: string): string {
  return [
    `${from}MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n`,
    '--b\r\nContent-Type: text/plain\r\n\r\nThis is an email abuse report.',
    `--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nUser-Agent: Some/1\r\nVersion: 1\r\n`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${head}\r\n`,
    '--b--\r\n',
  ].join('\r\n')
}
