// Splits a file into parts. All but the last have the same size, as object stores require, and there are few enough to
// list them in one request.

const minPartBytes = 8 * 1024 ** 2
const maxParts = 1000

export interface PartPlan {
  byte_size: number
  part_bytes: number
}

export function planParts(byte_size: number): PartPlan {
  const enough = Math.ceil(byte_size / maxParts)
  return { byte_size, part_bytes: Math.max(minPartBytes, enough) }
}

export function countParts({ byte_size, part_bytes }: PartPlan): number {
  return Math.ceil(byte_size / part_bytes)
}

/** The size of a part. Null if the file has no part with this number. */
export function partByteSize(plan: PartPlan, number: number): number | null {
  const count = countParts(plan)
  if (number < 1 || number > count) return null
  return number < count ? plan.part_bytes : plan.byte_size - (count - 1) * plan.part_bytes
}
