const timeoutMs = 5_000

/** Returns true if the URL responds with a success status. */
export async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    // The server refused the connection, or didn't respond in time.
    return false
  }
}
