// Why an archive cannot be imported, as a sentence for the owner.

export class ImportError extends Error {
  override readonly name = 'ImportError'
}
