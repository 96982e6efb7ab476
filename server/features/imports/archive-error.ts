// An error that explains to the owner why an import failed.

export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** For `.catch()`: returns null if something in the archive is missing or damaged, and rethrows other errors. */
export function nullIfImportError(error: unknown): null {
  if (error instanceof ImportError) return null
  throw error
}
