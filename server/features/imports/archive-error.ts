// Why an archive cannot be imported, as a sentence for the owner.

export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** For `.catch()`: what the archive lacks or damaged is null. */
export function unlessImportError(error: unknown): null {
  if (error instanceof ImportError) return null
  throw error
}
