// Runs parts of one task concurrently. Invariant: when the promise settles, no part is running any more.

/** Returns the results. If a part fails, aborts the `signal` of the other parts and throws its error. */
export async function runTogether<const Works extends readonly unknown[]>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => Works,
): Promise<{ -readonly [I in keyof Works]: Awaited<Works[I]> }> {
  const broken = new AbortController()
  const works = start(AbortSignal.any([signal, broken.signal]))
  try {
    return await Promise.all(works)
  } catch (error) {
    broken.abort(error)
    throw error
  } finally {
    await Promise.allSettled(works)
  }
}
