// PostgreSQL refuses to run as root. If Velour runs as root, its database runs as another user, who owns only the
// database folder. This module chooses that user and makes sure that the user can access the folder and the programs.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseStartError } from '../db/database-start-error.ts'

/** Null to run as the current user. */
export type PostgresUser = { uid: number; gid: number; capability: Capability | null } | null

type Capability = 'dac_read_search' | 'dac_override'

const capabilityBits: Record<Capability, bigint> = { dac_override: 1n, dac_read_search: 2n }
const setpriv = '/usr/bin/setpriv'

/**
 * Returns the user for the programs, which share one folder; `program` is one of them. `folder` is the database
 * folder and must exist.
 */
export function choosePostgresUser(folder: string, program: string): PostgresUser {
  if (process.getuid?.() !== 0) {
    refuseForeignFolder(folder)
    return null
  }
  const user = readFolderOwner(folder) ?? readNobodyIds()
  const blocked =
    findClosedFolder(dirname(folder), user) ??
    findClosedFolder(dirname(program), user) ??
    (isAllowed(program, user, 0o5) ? null : program)
  if (!blocked) return { ...user, capability: null }
  // Only a parent folder is closed to the user, such as a home folder of mode 0700. A capability opens it to the
  // database's processes alone. Changing the mode would open it to everyone.
  const wanted: Capability = isAllowed(program, user, 0o5) ? 'dac_read_search' : 'dac_override'
  const capability = [wanted, 'dac_override' as const].find(isGrantable)
  if (capability && existsSync(setpriv)) return { ...user, capability }
  throw new DatabaseStartError(
    `PostgreSQL refuses to run as root, and the user it runs as instead (uid ${user.uid}) may not enter ${blocked}. ` +
      `Run "chmod o+x ${blocked}", move Velour out of that folder, or start it as an ordinary user.`,
  )
}

/** Returns the command that runs `program` as `user`. */
export function buildCommandAs(user: PostgresUser, program: string, args: string[]) {
  if (!user) return { program, args, options: {} }
  const { uid, gid, capability } = user
  if (!capability) return { program, args, options: { uid, gid } }
  const wrapping = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const granting = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  return { program: setpriv, args: [...wrapping, ...granting, program, ...args], options: {} }
}

/** Returns the first folder in `path`, or `path` itself, that the user may not enter. Null if there is none. */
export function findClosedFolder(path: string, user: { uid: number; gid: number }): string | null {
  const folders: string[] = []
  for (let at = realpathSync(path); ; at = dirname(at)) {
    folders.unshift(at)
    if (at === dirname(at)) break
  }
  return folders.find((folder) => !isAllowed(folder, user, 0o1)) ?? null
}

function isAllowed(path: string, user: { uid: number; gid: number }, bits: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

/** If the folder was created for an ordinary user, it keeps that owner, even if root starts Velour later. */
function readFolderOwner(folder: string) {
  const { uid, gid } = statSync(folder)
  return uid === 0 ? null : { uid, gid }
}

function refuseForeignFolder(folder: string): void {
  const { uid } = statSync(folder)
  if (uid === process.getuid?.()) return
  throw new DatabaseStartError(
    `The database folder ${folder} belongs to another user (uid ${uid}): ` +
      'start Velour as the user who started it before, or as root.',
  )
}

function readNobodyIds() {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  // Negative ids of macOS are converted to unsigned numbers.
  return { uid: Number(uid ?? 65534) >>> 0, gid: Number(gid ?? 65534) >>> 0 }
}

function isGrantable(capability: Capability): boolean {
  if (process.platform !== 'linux') return false
  const status = readFileSync('/proc/self/status', 'utf8')
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return ((permitted >> capabilityBits[capability]) & 1n) === 1n
}
