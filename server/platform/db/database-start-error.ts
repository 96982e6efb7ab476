// Thrown if the database cannot start for a reason that the owner can fix. Only the message is shown, without a stack
// trace.
import { OperatorError } from '../config/operator-error.ts'

export class DatabaseStartError extends OperatorError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseStartError'
  }
}
