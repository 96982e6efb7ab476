const timeoutMs = 5_000

/** Returns whether the URL responds with a success status. */
export async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // The connection was refused, or the request timed out.
    return false
  }
}
