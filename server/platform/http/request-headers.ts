// Which operations accept `Idempotency-Key` and `If-Match`.
import type { Endpoint } from '#contract/endpoint.ts'

export function acceptsIdempotencyKey({
  creates,
  pays,
  dependsOnState,
}: Pick<Endpoint, 'creates' | 'pays' | 'dependsOnState'>): boolean {
  return creates !== undefined || pays === true || dependsOnState === true
}

/** Whether the body may contain the version on which the save is based. */
export function acceptsIfMatch({ body, versionAt }: Pick<Endpoint, 'body' | 'versionAt'>): boolean {
  return versionAt !== undefined && body !== undefined
}
