// Builds an earlier version of Velour from the history of this clone, as an owner would build it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

export interface OtherVersion {
  /** Short commit hash, and the ref in parentheses. */
  name: string
  /** Path of the server's entry file, server/main.ts. */
  entry: string
  /** Folder of the built web app. */
  dist: string
  /** True if the version drains connections of the proxy on shutdown. A write that arrives then doesn't fail. */
  drains: boolean
}

const root = join(import.meta.dirname, '..', '..')
const lockFile = 'package-lock.json'
const longestGitOutput = 512 * 1024 * 1024

/**
 * Builds the version OLD_VERSION in `folder`. The default is the last release tag, or without tags the last commit
 * before the newest migration. If the clone lacks that version, throws an error that says what to do.
 */
export function buildVersionBefore(folder: string): OtherVersion {
  const { ref, commit } = findVersionBefore()
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  const lock = (of: string) => readFileSync(join(of, lockFile), 'utf8')
  // Use the installed packages if both versions have the same lock file.
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

/** Returns null if git fails, because the ref doesn't exist then. */
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
