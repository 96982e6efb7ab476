// Finds every operation of the contract by its shape, in all files of contract/, so that new operations are included
// automatically.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '#contract/endpoint.ts'

const folder = join(import.meta.dirname, '../../contract')

export interface NamedEndpoint {
  /** The name of the operation's constant. */
  name: string
  endpoint: Endpoint
}

export async function findContractEndpoints(): Promise<NamedEndpoint[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .toSorted()
  const modules = await Promise.all(
    files.map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      isEndpoint(value) ? [{ name, endpoint: value }] : [],
    ),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}
