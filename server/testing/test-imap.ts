// An IMAP server on loopback with one mailbox. It supports only the commands that reading a mailbox needs (RFC 3501).
import { createServer, type AddressInfo, type Socket } from 'node:net'

interface StoredMail {
  uid: number
  source: Buffer
  seen: boolean
}

export interface TestImap {
  url: string
  port: number
  mails: StoredMail[]
  deliver: (source: string | Buffer) => StoredMail
  /** Gives all messages new numbers, as if the mailbox was restored. */
  renumber: () => void
  /** UIDs of the messages whose text a client has read. */
  sent: number[]
  /** Called before each command is answered. If it throws, the connection is closed. */
  onCommand: (command: string) => Promise<void> | void
  close: () => Promise<void>
}

export const imapLogin = { user: 'bounces', pass: 'hush-0815' }

interface Session {
  folder: boolean
  readOnly: boolean
}

export async function startTestImap(): Promise<TestImap> {
  const sockets = new Set<Socket>()
  const mails: StoredMail[] = []
  let uidNext = 1
  let uidValidity = 7
  const imap: TestImap = {
    url: '',
    port: 0,
    mails,
    sent: [],
    onCommand: () => {},
    deliver(source) {
      const mail = { uid: uidNext++, source: Buffer.from(source), seen: false }
      mails.push(mail)
      return mail
    },
    renumber() {
      uidValidity += 1
      uidNext += 100
      for (const mail of mails) mail.uid = uidNext++
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const session: Session = { folder: false, readOnly: false }
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    const respond = async (line: string) => {
      const [, tag = '*', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
      await imap.onCommand(command)
      for (const part of respondTo(command, imap, session, { uidNext, uidValidity })) {
        socket.write(typeof part === 'string' ? part.replace(/^TAG /, `${tag} `) : part)
      }
    }
    let unread = ''
    let turn = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      const lines = (unread + chunk.toString('latin1')).split('\r\n')
      unread = lines.pop() ?? ''
      for (const line of lines) {
        turn = turn.then(() => respond(line)).catch(() => void socket.destroy())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  imap.port = (server.address() as AddressInfo).port
  imap.url = `imap://${imapLogin.user}:${imapLogin.pass}@127.0.0.1:${imap.port}/INBOX`
  return imap
}

function respondTo(
  command: string,
  imap: TestImap,
  session: Session,
  { uidNext, uidValidity }: { uidNext: number; uidValidity: number },
): (string | Buffer)[] {
  const done = 'TAG OK done\r\n'
  const [name = ''] = /^(?:UID )?\w+/.exec(command.toUpperCase()) ?? []
  switch (name) {
    case 'CAPABILITY':
      return ['* CAPABILITY IMAP4rev1\r\n', done]
    case 'LOGIN': {
      const words = command.replaceAll('"', '').split(' ')
      const isKnown = words[1] === imapLogin.user && words[2] === imapLogin.pass
      return [isKnown ? done : 'TAG NO [AUTHENTICATIONFAILED] Wrong password\r\n']
    }
    case 'LIST':
      return [`* LIST () "/" ${command.endsWith(' ""') ? '""' : 'INBOX'}\r\n`, done]
    case 'SELECT':
    case 'EXAMINE':
      if (!/ "?INBOX"?$/i.test(command)) return ['TAG NO [NONEXISTENT] No such folder\r\n']
      session.folder = true
      session.readOnly = name === 'EXAMINE'
      return [
        '* FLAGS (\\Seen)\r\n',
        `* ${imap.mails.length} EXISTS\r\n`,
        `* OK [UIDVALIDITY ${uidValidity}] numbers\r\n`,
        `* OK [UIDNEXT ${uidNext}] next\r\n`,
        `TAG OK [READ-${session.readOnly ? 'ONLY' : 'WRITE'}] open\r\n`,
      ]
    case 'UID SEARCH':
      return [
        `* SEARCH${found(command, imap)
          .map((uid) => ` ${uid}`)
          .join('')}\r\n`,
        done,
      ]
    case 'UID FETCH':
      return [...named(command, imap).flatMap((mail) => fetched(command, mail, imap)), done]
    case 'UID STORE':
      if (session.readOnly) return ['TAG NO read-only\r\n']
      for (const mail of named(command, imap)) mail.seen = true
      return [done]
    case 'LOGOUT':
      return ['* BYE bye\r\n', done]
    case 'NOOP':
      return [done]
    default:
      return ['TAG BAD unknown command\r\n']
  }
}

/** Finds messages. `UID n:*` always includes the last message. `SINCE` matches all messages, because they are new. */
function found(command: string, { mails }: TestImap): number[] {
  const [, first] = /UID SEARCH UID (\d+):\*/i.exec(command) ?? []
  const uids = mails.map(({ uid }) => uid)
  return first === undefined
    ? uids
    : uids.filter((uid) => uid >= Number(first) || uid === uids.at(-1))
}

function named(command: string, { mails }: TestImap): StoredMail[] {
  const [, set = ''] = /^UID \w+ (\S+)/i.exec(command) ?? []
  const ranges = set.split(',').map((range) => range.split(':').map(Number))
  return mails.filter(({ uid }) =>
    ranges.some(([first = 0, last = first]) => uid >= first && uid <= last),
  )
}

function fetched(command: string, mail: StoredMail, imap: TestImap): (string | Buffer)[] {
  const { uid, source } = mail
  const head = `* ${imap.mails.indexOf(mail) + 1} FETCH (UID ${uid} RFC822.SIZE ${source.length}`
  const [, length] = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(command) ?? []
  if (length !== undefined) {
    imap.sent.push(uid)
    const body = source.subarray(0, Number(length))
    return [`${head} BODY[]<0> {${body.length}}\r\n`, body, ')\r\n']
  }
  const [headers = ''] = source.toString('latin1').split('\r\n\r\n')
  const [type = ''] = /^content-type:(?:.|\r\n[ \t])*/im.exec(headers) ?? []
  const field = Buffer.from(`${type}\r\n\r\n`, 'latin1')
  return [`${head} BODY[HEADER.FIELDS (CONTENT-TYPE)] {${field.length}}\r\n`, field, ')\r\n']
}
