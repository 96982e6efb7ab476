// The names under which the contract exports its operations and schemas. The API description uses them: an operation's
// constant is its operationId, a schema's constant is its name among the shared schemas.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

const folder = join(import.meta.dirname, '../../../../contract')

export interface ContractNames {
  operations: ReadonlyMap<Endpoint, string>
  /** Names of the objects and unions. */
  schemas: ReadonlyMap<z.core.$ZodType, string>
}

export async function readContractNames(): Promise<ContractNames> {
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const operations = new Map<Endpoint, string>()
  const schemas = new Map<z.core.$ZodType, string>()
  for (const file of files.toSorted()) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      if (isOperation(value)) operations.set(value, name)
      else if (isSharedSchema(value) && !schemas.has(value)) schemas.set(value, pascalCase(name))
    }
  }
  return { operations, schemas }
}

/** `record_payment` → `RecordPayment` */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function isOperation(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

function isSharedSchema(value: unknown): value is z.core.$ZodType {
  return [z.ZodMiniObject, z.ZodMiniUnion, z.ZodMiniDiscriminatedUnion].some(
    (kind) => value instanceof kind,
  )
}
