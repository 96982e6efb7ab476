// A mail server on loopback, to test the emails that the mailer sends and how it handles refusals.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface TestSmtp {
  url: string
  received: { sender: string; recipients: string[]; mail: Promise<Email> }[]
  /** Returns the number of emails that were offered to the server, including refused ones. */
  offered: () => number
  close: () => Promise<void>
}

export async function startTestSmtp(
  options: {
    /** Number of emails to refuse with a temporary error (RFC 5321 §4.2.1: 4yz). */
    refusals?: number
    /** An address to refuse permanently (5yz). */
    unknownAddress?: string
    /** Accepts connections but never responds. */
    silent?: boolean
    /** Requires a login, and refuses this many logins (535). */
    refusedLogins?: number
  } = {},
): Promise<TestSmtp> {
  const { refusals = 0, unknownAddress, silent = false } = options
  let refusedLogins = options.refusedLogins ?? 0
  const received: TestSmtp['received'] = []
  let offered = 0
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      if (!silent) callback()
    },
    onAuth({ username }, _session, callback) {
      if (refusedLogins-- > 0) return callback(new Error('no such person'))
      callback(null, { user: username })
    },
    onRcptTo({ address }, _session, callback) {
      if (address !== unknownAddress) return callback()
      callback(Object.assign(new Error(`no ${address} here`), { responseCode: 550 }))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (++offered <= refusals) return callback(new Error('no room'))
        const { mailFrom } = session.envelope
        received.push({
          sender: mailFrom ? mailFrom.address : '',
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          mail: PostalMime.parse(Buffer.concat(chunks)),
        })
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    offered: () => offered,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
