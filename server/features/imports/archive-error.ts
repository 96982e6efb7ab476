// The reason why an archive cannot be imported, as a sentence for the owner.

export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** For `.catch()`: null for something that is missing or damaged in the archive. */
export function unlessImportError(error: unknown): null {
  if (error instanceof ImportError) return null
  throw error
}
