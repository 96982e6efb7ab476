const timeoutMs = 5_000

/** Whether somebody answers there with a status of success. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // Nobody listens there, or whoever does hangs.
    return false
  }
}
