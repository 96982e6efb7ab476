// Publishes what is due, one thing after the other. The releases of a moment are few.

/**
 * `publish` returns false for something that another instance publishes, or an admin changes, at the same time. One that
 * fails keeps no other from its moment: the first error is thrown at the end. Returns how many were published.
 */
export async function publishEach(
  due: readonly { id: string }[],
  publish: (id: string) => Promise<boolean>,
): Promise<number> {
  const errors: unknown[] = []
  let count = 0
  for (const { id } of due) {
    try {
      if (await publish(id)) count += 1
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return count
}
