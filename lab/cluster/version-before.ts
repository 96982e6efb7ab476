// Another version of this product, taken from the history of the clone and built as its owner would.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface OtherVersion {
  /** Short commit hash and ref. */
  name: string
  /** Its server/main.ts. */
  entry: string
  /** Its built web app. */
  dist: string
  /**
   * Whether it drains the proxies' connections on shutdown. Such a version fails no write that arrives at that moment.
   */
  drains: boolean
}

const root = join(import.meta.dirname, '..', '..')
const lockFile = 'package-lock.json'
const longestGitOutput = 512 * 1024 * 1024

/**
 * Builds OLD_VERSION in `folder`. Defaults to the last release tag, or to the last commit before the newest migration
 * if there is no tag. Throws an error with instructions if the clone doesn't have it.
 */
export function buildVersionBefore(folder: string): OtherVersion {
  const { ref, commit } = findVersionBefore()
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  const lock = (of: string) => readFileSync(join(of, lockFile), 'utf8')
  // With the same lock file, reuse the installed packages.
  if (lock(folder) === lock(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  }
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: folder, stdio: 'pipe' })
  return {
    name: `${commit.slice(0, 7)} (${ref})`,
    entry: join(folder, 'server', 'main.ts'),
    dist: join(folder, 'dist'),
    drains: ['platform/http', 'http'].some((of) =>
      existsSync(join(folder, 'server', of, 'drain-connections.ts')),
    ),
  }
}

function findVersionBefore(): { ref: string; commit: string } {
  const wanted = process.env['OLD_VERSION']
  const ref = wanted ?? findLastTag() ?? findCommitBeforeNewestMigration()
  const commit = ref && resolve(ref)
  if (commit) return { ref, commit }
  throw new Error(
    wanted
      ? `OLD_VERSION=${wanted} is not in this clone.`
      : 'This clone has no history to take the version before from: git fetch --unshallow, or set OLD_VERSION to a commit.',
  )
}

function findLastTag(): string | null {
  return tryGit(() => text(git('describe', '--tags', '--abbrev=0', 'HEAD^')))
}

function findCommitBeforeNewestMigration(): string | null {
  return tryGit(
    () => `${text(git('log', '-1', '--format=%h', '--', 'server/platform/db/migrations'))}^`,
  )
}

function resolve(ref: string): string | null {
  return tryGit(() => text(git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)))
}

const text = (output: Buffer) => output.toString().trim()

/** Returns null when git fails, which means that the ref doesn't exist. */
function tryGit(ask: () => string): string | null {
  try {
    return ask()
  } catch {
    return null
  }
}

function git(...args: string[]): Buffer {
  return execFileSync('git', args, {
    cwd: root,
    maxBuffer: longestGitOutput,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
