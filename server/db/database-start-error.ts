// The database cannot start for a reason the owner can act on: the message is one clear sentence, shown
// without a stack trace.
export class DatabaseStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseStartError'
  }
}
