// The secret that signs cookies and tokens: from the environment, or generated once and stored in the data folder.
import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

type SecretConfig = Pick<Config, 'secret' | 'previousSecret' | 'dataDir'>

/** Returns the current secret, followed by the previous one during a rotation. */
export async function loadOrCreateSecrets(config: SecretConfig): Promise<[string, ...string[]]> {
  return (await findSecrets(config)) ?? [await makeSecret(config.dataDir)]
}

/** Like loadOrCreateSecrets, but creates none. Null if neither the environment nor the data folder has one. */
export async function findSecrets(config: SecretConfig): Promise<[string, ...string[]] | null> {
  const secret = config.secret ?? (await readSecret(join(config.dataDir, 'secret')))
  if (secret === null) return null
  return config.previousSecret === null ? [secret] : [secret, config.previousSecret]
}

/** Generates a secret of at least 32 characters and stores it for later starts. */
async function makeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  // Written to a temporary file and hard-linked, so that concurrent first starts use the same secret, and a crash
  // leaves no partial file.
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
  try {
    await link(fresh, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(fresh)
  }
  const kept = await readSecret(path)
  if (!kept) throw new Error(`The secret in ${path} cannot be read.`)
  return kept
}

async function readSecret(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim() || null
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
