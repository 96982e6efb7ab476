// Publishes scheduled items whose date has passed, one at a time. Few items have the same date.

/**
 * `publish` returns false for an item that another instance is publishing or an admin is changing. If an item fails,
 * the remaining ones are still published and the first error is thrown at the end. Returns the number of published
 * items.
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
