// A test case of the audit log: an operation, the entity that it changes, and the entry that it writes.
import type { AuditAction, AuditEntity } from '#contract/audit-names.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import type { AuditWorld } from './audit-world.ts'

export interface AuditCase {
  endpoint: Endpoint
  title: string
  /** The action and entity of the entry. Null if the operation only reads. */
  entry: `${AuditAction} ${AuditEntity}` | null
  /**
   * Creates the entity to change and returns the input. `entity_id` is absent if the operation creates the entity, or
   * if there is none.
   */
  prepare: (world: AuditWorld) => Promise<{ input: unknown; entity_id?: string | undefined }>
}

export function createAuditCase<E extends Endpoint>(
  endpoint: E,
  entry: AuditCase['entry'],
  prepare: (
    world: AuditWorld,
  ) => Promise<{ input: CallInput<NoInfer<E>>; entity_id?: string | undefined }>,
): AuditCase {
  return { endpoint, entry, prepare, title: `${endpoint.method} ${endpoint.path}` }
}

/** Creates a case for an operation that changes the entity whose id is in the path. */
export function createCaseById<E extends Endpoint>(
  endpoint: E,
  entry: AuditCase['entry'],
  make: (world: AuditWorld) => Promise<string>,
  body?: object,
): AuditCase {
  return createAuditCase(endpoint, entry, async (world) => {
    const id = await make(world)
    return { input: { params: { id }, ...(body && { body }) } as CallInput<E>, entity_id: id }
  })
}

export async function createAndDelete<E extends Endpoint>(
  world: AuditWorld,
  endpoint: E,
  make: (world: AuditWorld) => Promise<string>,
  body?: (id: string) => object,
): Promise<string> {
  const id = await make(world)
  const input = body ? { body: body(id) } : { params: { id } }
  const { status } = await world.admin.call(endpoint, input as CallInput<E>)
  if (status >= 400) throw new Error(`Deleting returned ${status}`)
  return id
}

export const createPersonId = async (world: AuditWorld) => (await world.person()).id

export const createBannedPersonId = async ({ app }: AuditWorld) =>
  (await app.makePerson({ banned: true })).id
