// The two database servers of compose.scale.yaml without containers. They use the arguments, scripts and health check
// of that file, but the PostgreSQL programs of this machine instead of the image's.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import {
  choosePostgresUser,
  buildCommandAs,
} from '#server/platform/embedded-postgres/postgres-user.ts'
import { freePort } from '#server/testing/storage/s3-server.ts'
import { findPostgresPrograms } from './system-postgres.ts'

type Name = 'database-1' | 'database-2'

interface ComposedService {
  command: string
  healthcheck: { test: [kind: string, line: string] }
}

export const passwords = { owner: 'owner-password', app: 'app-password' }
const scripts = join(import.meta.dirname, '..', '..', 'deploy', 'postgres')
const timeoutMs = 30_000

export type ComposedServers = Awaited<ReturnType<typeof createComposedServers>>

/** Prepares folders, ports and programs. Doesn't start a server. */
export async function createComposedServers() {
  const { command, healthcheck } = readService('database-1')
  const programs = findPostgresPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'velour-composed-'))
  chmodSync(folder, 0o711)
  const user = choosePostgresUser(folder, join(programs, 'postgres'))
  const ports = { 'database-1': await freePort(), 'database-2': await freePort() }
  const sockets = join(folder, 'sockets')
  for (const name of ['database-1', 'database-2', 'sockets']) {
    mkdirSync(join(folder, name))
    if (user) chownSync(join(folder, name), user.uid, user.gid)
  }
  const dataOf = (name: Name) => join(folder, name, 'docker')
  writeImagePrograms()

  /**
   * Creates scripts that stand in for the image's programs. They give the standby a port of its own, because both
   * servers are on the same machine.
   */
  function writeImagePrograms(): void {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const as = user ? `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups ` : ''
    const own = `-cport=${ports['database-2']} -cunix_socket_directories=${sockets}`
    const programsOfImage = {
      gosu: `shift\ncase "$1" in postgres) set -- "$@" ${own} ;; esac\nexec ${as}"$@"`,
      chown: user
        ? `for last; do :; done\nexec /bin/chown -R ${user.uid}:${user.gid} "$last"`
        : ':',
    }
    for (const [name, script] of Object.entries(programsOfImage)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    }
  }

  /** Returns the environment as in a container. The standby connects to the primary by its host name. */
  const environment = (name: Name) => ({
    PATH: `${join(folder, 'bin')}:${programs}:/usr/bin:/bin`,
    PGDATA: dataOf(name),
    PGPORT: String(ports['database-1']),
    ...(name === 'database-1' ? { PGHOST: sockets } : { PGHOSTADDR: '127.0.0.1' }),
    POSTGRES_USER: 'velour',
    POSTGRES_DB: 'velour',
    VELOUR_APP_PASSWORD: passwords.app,
    REPLICATION_PASSWORD: 'standby-password',
  })

  const running: ChildProcess[] = []
  function start(
    name: Name,
    given: Omit<ReturnType<typeof buildCommandAs>, 'options'>,
    options = {},
  ) {
    const child = spawn(given.program, given.args, {
      ...options,
      cwd: '/',
      env: environment(name),
      stdio: 'ignore',
    })
    running.push(child)
    return child
  }

  async function run(program: string, args: string[]): Promise<void> {
    const given = buildCommandAs(user, program, args)
    await promisify(execFile)(given.program, given.args, {
      ...given.options,
      cwd: '/',
      env: environment('database-1'),
      timeout: timeoutMs,
    })
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  return {
    /** Data folder of the standby. */
    standbyFolder: dataOf('database-2'),
    /** Return connection strings: for one server as the superuser, and for both servers as in compose.scale.yaml. */
    superuser: (name: Name) => addressOf(`velour:${passwords.owner}`, [ports[name]]),
    both: (who: string) => addressOf(who, [ports['database-1'], ports['database-2']]),
    /** Runs initdb, like the image before it starts a server that accepts connections. */
    async initialize(): Promise<void> {
      const passwordFile = join(folder, 'password')
      writeFileSync(passwordFile, passwords.owner)
      await run(join(programs, 'initdb'), [
        '--username=velour',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        `--pwfile=${passwordFile}`,
      ])
    },
    /** Starts the primary with the arguments of compose.scale.yaml. During the setup, `listen` is empty. */
    startPrimary(listen: string): ChildProcess {
      const [, ...args] = command.split(' ')
      const given = buildCommandAs(user, join(programs, 'postgres'), [
        ...args,
        `-D${dataOf('database-1')}`,
        `-cunix_socket_directories=${sockets}`,
        `-clisten_addresses=${listen}`,
      ])
      return start('database-1', given, given.options)
    },
    startStandby: () =>
      start('database-2', { program: '/bin/bash', args: [join(scripts, 'standby.sh')] }),
    runPrimaryScript: () => run('bash', [join(scripts, 'primary.sh')]),
    psql: (database: string, statement: string) =>
      run('psql', ['--username=velour', `--dbname=${database}`, `--command=${statement}`]),
    async isHealthy(): Promise<boolean> {
      const [, line] = healthcheck.test
      const env = environment('database-1')
      return promisify(execFile)('/bin/sh', ['-c', line], { env }).then(
        () => true,
        () => false,
      )
    },
    kill,
    async stop(): Promise<void> {
      for (const child of running) await kill(child)
      rmSync(folder, { recursive: true })
    },
  }
}

function addressOf(who: string, ports: readonly number[]): string {
  return `postgres://${who}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/velour`
}

function readService(name: Name): ComposedService {
  const file = join(import.meta.dirname, '..', '..', 'compose.scale.yaml')
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as {
    services: Record<Name, ComposedService>
  }
  return services[name]
}
