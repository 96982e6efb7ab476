// The version from package.json, and the commit of the code if it is known.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from './config.ts'

export interface BuildVersion {
  version: string
  /** The first 12 hexadecimal digits of the commit. Null for a copy without its repository. */
  commit: string | null
}

const commitLength = 12
const projectFolder = join(import.meta.dirname, '../../..')

/**
 * Takes the commit from `VELOUR_COMMIT`, otherwise from the Git repository of the code, otherwise from the file that
 * `npm run build` wrote.
 */
export function readBuildVersion(
  config: Pick<Config, 'commit'>,
  folder = projectFolder,
): BuildVersion {
  const packageFile = readFileSync(join(folder, 'package.json'), 'utf8')
  const { version } = JSON.parse(packageFile) as { version: string }
  const commit =
    config.commit ?? readRepository(folder) ?? readCommit(readText(join(folder, 'dist', '.commit')))
  return { version, commit: commit && commit.slice(0, commitLength).toLowerCase() }
}

/** `0.2.0 (838f8f10c3ab)`. */
export function describeVersion({ version, commit }: BuildVersion): string {
  return commit === null ? version : `${version} (${commit})`
}

/** Reads Git's files directly, because the server starts no programs and Git refuses repositories of other users. */
function readRepository(folder: string): string | null {
  const gitFolder = findGitFolder(join(folder, '.git'))
  const head = gitFolder && readText(join(gitFolder, 'HEAD'))
  if (!gitFolder || !head) return null
  const [, branch] = /^ref: (.+)$/.exec(head) ?? []
  if (!branch) return readCommit(head)
  // A worktree has its own HEAD, but its branches are in the main repository.
  const common = resolve(gitFolder, readText(join(gitFolder, 'commondir')) ?? '.')
  const packed = readText(join(common, 'packed-refs'))?.split('\n') ?? []
  const line = packed.find((one) => one.endsWith(` ${branch}`))
  return readCommit(readText(join(common, branch)) ?? line?.split(' ')[0])
}

/** In a worktree, `.git` is a file that contains the path of the folder. */
function findGitFolder(path: string): string | null {
  if (readText(join(path, 'HEAD')) !== null) return path
  const [, target] = /^gitdir: (.+)$/.exec(readText(path) ?? '') ?? []
  return target ? resolve(path, '..', target) : null
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

function readCommit(text: string | null | undefined): string | null {
  return text && /^[0-9a-f]{7,64}$/i.test(text) ? text : null
}
