/** A fault that an operator can mend: its message says what to change, and is shown without a stack. */
export class OperatorError extends Error {}
